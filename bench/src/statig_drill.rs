//! The drill law written by hand for the crate `statig`, which compiles a machine into a match.
//!
//! It has the states, counters and guards of the law. Guard states are gone: the compiled code decides at once
//! where the law goes through one, as a person would write it by hand.

use statig::prelude::*;

const REQUIRED_USAGES: u32 = 3;
const REPEAT_MODE_THRESHOLD: u32 = 2;
const MAX_REPEAT_LOOPS: u32 = 3;
const MAX_SILENCES: u32 = 3;

flow::names! {
    pub enum Event {
        Start = "start",
        TtsDone = "tts_done",
        AsrResult = "asr_result",
        Timeout = "timeout",
        UsageCorrect = "usage_correct",
        UsageIncorrect = "usage_incorrect",
        NotAnAttempt = "not_an_attempt",
        NextWordAvailable = "next_word_available",
        NoMoreWords = "no_more_words",
        Done = "done",
        Leave = "leave",
    }
}

#[derive(Debug, Default)]
pub struct Drill {
    has_target: bool,
    usage: u32,
    failures: u32,
    repeats: u32,
    silences: u32,
    presentation: u32,
}

#[state_machine(initial = "State::init()", state(derive(Debug)), superstate(derive(Debug)))]
impl Drill {
    #[superstate]
    fn open(event: &Event) -> Outcome<State> {
        match event {
            Event::Leave => Transition(State::session_done()),
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn init(&mut self, event: &Event) -> Outcome<State> {
        match event {
            Event::Start => Transition(self.check_queue()),
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn intro_word(event: &Event) -> Outcome<State> {
        match event {
            Event::TtsDone => Transition(State::prompt_practice()),
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn prompt_practice(&mut self, event: &Event) -> Outcome<State> {
        match event {
            Event::TtsDone => {
                self.presentation += 1;
                Transition(State::wait_student())
            }
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn wait_student(&mut self, event: &Event) -> Outcome<State> {
        match event {
            Event::AsrResult => Transition(State::evaluate_attempt()),
            Event::Timeout => {
                self.silences += 1;
                self.failures += 1;
                Transition(self.check_silence())
            }
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn evaluate_attempt(&mut self, event: &Event) -> Outcome<State> {
        match event {
            Event::UsageCorrect => {
                self.usage += 1;
                (self.failures, self.silences) = (0, 0);
                Transition(self.check_mastery())
            }
            Event::UsageIncorrect => {
                self.failures += 1;
                self.silences = 0;
                Transition(self.check_remediation())
            }
            Event::NotAnAttempt => Transition(State::wait_student()),
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn repeat_after_me(event: &Event) -> Outcome<State> {
        match event {
            Event::TtsDone => Transition(State::wait_repeat()),
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn wait_repeat(&mut self, event: &Event) -> Outcome<State> {
        match event {
            Event::AsrResult => Transition(State::evaluate_repeat()),
            Event::Timeout => {
                self.silences += 1;
                let is_empty = self.silences >= MAX_SILENCES;
                Transition(if is_empty { State::park_word() } else { State::repeat_after_me() })
            }
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn evaluate_repeat(&mut self, event: &Event) -> Outcome<State> {
        match event {
            Event::UsageCorrect => {
                self.usage += 1;
                self.silences = 0;
                Transition(State::reset_remediation())
            }
            Event::UsageIncorrect => {
                self.failures += 1;
                self.repeats += 1;
                self.silences = 0;
                let is_spent = self.repeats >= MAX_REPEAT_LOOPS;
                Transition(if is_spent { State::complete_word() } else { State::repeat_after_me() })
            }
            Event::NotAnAttempt => Transition(State::wait_repeat()),
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn reset_remediation(&mut self, event: &Event) -> Outcome<State> {
        match event {
            Event::Done => {
                (self.failures, self.repeats) = (0, 0);
                Transition(self.check_mastery())
            }
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn complete_word(event: &Event) -> Outcome<State> {
        match event {
            Event::NextWordAvailable => Transition(State::reset_counters()),
            Event::NoMoreWords => Transition(State::session_done()),
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn reset_counters(&mut self, event: &Event) -> Outcome<State> {
        match event {
            Event::Done => {
                *self = Drill::new(self.has_target);
                Transition(self.check_queue())
            }
            _ => Super,
        }
    }

    #[state(superstate = "open")]
    fn park_word(event: &Event) -> Outcome<State> {
        match event {
            Event::Done => Transition(State::session_done()),
            _ => Super,
        }
    }

    #[state]
    fn session_done() -> Outcome<State> {
        Handled
    }
}

impl Drill {
    pub fn new(has_target: bool) -> Drill {
        Drill { has_target, ..Drill::default() }
    }

    fn check_queue(&self) -> State {
        if self.has_target { State::intro_word() } else { State::session_done() }
    }

    fn check_mastery(&self) -> State {
        if self.usage >= REQUIRED_USAGES { State::complete_word() } else { State::prompt_practice() }
    }

    fn check_silence(&mut self) -> State {
        if self.silences >= MAX_SILENCES { State::park_word() } else { self.check_remediation() }
    }

    fn check_remediation(&mut self) -> State {
        if self.failures < REPEAT_MODE_THRESHOLD {
            return State::prompt_practice();
        }
        self.repeats = 0;
        State::repeat_after_me()
    }
}
