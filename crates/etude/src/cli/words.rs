//! The terminal's own texts, and the choice of their language.

use super::config::Config;
use coaching::learner::{self, Calendar, Profile};
use coaching::words::{Lexicon, Text, WordFile};
use shell::engine::app::App;
use shell::engine::failure::Failure;
use shell::learners::profiles;

pub(crate) const FILES: &[WordFile] = &[
    ("en", include_str!("words/en.ftl")),
    ("de", include_str!("words/de.ftl")),
    learner::words::FILES[0],
    learner::words::FILES[1],
];

/// The texts in one language.
#[derive(Debug, Clone)]
pub(crate) struct Voice<'a> {
    lexicon: &'a Lexicon,
    pub language: String,
}

impl<'a> Voice<'a> {
    pub(crate) fn new(lexicon: &'a Lexicon, language: &str) -> Voice<'a> {
        Voice { lexicon, language: language.to_owned() }
    }

    /// Chooses the first of these languages that Etude speaks: the one asked for, the profile's, the desk's,
    /// the system's.
    pub(crate) async fn of(
        app: &'a App,
        config: &Config,
        learner: &str,
        wish: Option<&str>,
        desk: Option<&str>,
    ) -> Result<Voice<'a>, Failure> {
        let profile = profiles::read(&app.store, learner).await?.language;
        let wishes = [wish, profile.as_deref(), desk, Some(&config.locale)];
        Ok(Voice::new(&app.words, app.words.choose(wishes.into_iter().flatten())))
    }

    pub(crate) fn say(&self, text: &Text) -> String {
        self.lexicon.say(&self.language, text)
    }
}

/// The present moment in the learner's calendar.
#[derive(Debug)]
pub(crate) struct Now {
    pub us: i64,
    calendar: Calendar,
}

impl Now {
    pub(crate) fn new(us: i64, profile: &Profile) -> Now {
        Now { us, calendar: Calendar::of(profile) }
    }

    /// Returns the present moment for this learner.
    pub(crate) async fn of(app: &App, learner: &str) -> Result<Now, Failure> {
        Ok(Now::new(app.clock.now().0, &profiles::read(&app.store, learner).await?))
    }

    /// Describes how far away a moment is in the learner's own days: after a night it is tomorrow, however few
    /// hours away.
    pub(crate) fn until(&self, then_us: i64) -> Text {
        self.calendar.until(self.us, then_us)
    }
}

coaching::words! {
    language(code) = "cli-language";
    pack_covers(title, command) = "cli-pack-covers";
    /// The note that the profile's language has no words yet.
    no_words_in(language, known) = "cli-no-words-in";
    no_bot() = "cli-no-bot";
    send_to_bot(minutes) = "cli-send-to-bot";

    // Labels of lines, which say what a colour would show.
    label_you() = "cli-label-you";
    label_coach() = "cli-label-coach";
    label_note() = "cli-label-note";
    label_heading() = "cli-label-heading";
    label_word() = "cli-label-word";
    label_meaning() = "cli-label-meaning";
    label_explanation() = "cli-label-explanation";
    label_example() = "cli-label-example";
    label_scene() = "cli-label-scene";
    label_say() = "cli-label-say";
    label_slowly() = "cli-label-slowly";
    label_difference() = "cli-label-difference";
    label_question() = "cli-label-question";
    label_choice() = "cli-label-choice";
    label_code() = "cli-label-code";
    label_output() = "cli-label-output";
    label_tests() = "cli-label-tests";
    label_steps() = "cli-label-steps";
    label_progress() = "cli-label-progress";

    // While a flow is held.
    welcome(title) = "cli-welcome";
    welcome_aloud(title) = "cli-welcome-aloud";
    goes_on() = "cli-goes-on";
    only_for_new() = "cli-only-for-new";
    left_the_old() = "cli-left-the-old";
    cannot_go_on(reason) = "cli-cannot-go-on";
    thinking() = "cli-thinking";
    moved_on() = "cli-moved-on";
    waits() = "cli-waits";
    waits_until(when) = "cli-waits-until";
    saved(command) = "cli-saved";
    next_session(command) = "cli-next-session";
    press_enter() = "cli-press-enter";
    more() = "cli-more";
    rejected(message, cure) = "cli-rejected";
    cut(count) = "cli-cut";
    not_text() = "cli-not-text";
    not_a_number() = "cli-not-a-number";
    not_an_option() = "cli-not-an-option";
    /// The note that Enter leaves a field as it is.
    keeps(text) = "cli-keeps";
    no_editor() = "cli-no-editor";
    program_begun() = "cli-program-begun";
    program_ends() = "cli-program-ends";
    help_program() = "cli-help-program";
    not_edited(editor, why) = "cli-not-edited";
    tests_passed(passed, of) = "cli-tests-passed";
    test_failed(index, verdict, place) = "cli-test-failed";
    // A call of a program, step by step.
    step_of(call, at, of) = "cli-step-of";
    step_keys() = "cli-step-keys";
    step_line(number, line, text) = "cli-step-line";
    step_changes(number, line, text, changed) = "cli-step-changes";
    step_returns(number, function, value) = "cli-step-returns";
    step_returns_now(function, value) = "cli-step-returns-now";
    step_stack(calls) = "cli-step-stack";
    step_result(result, expected) = "cli-step-result";
    step_error(error, expected) = "cli-step-error";
    steps_cut() = "cli-steps-cut";
    progress(label, done) = "cli-progress";
    progress_of(label, done, of) = "cli-progress-of";
    answer_in_order(example) = "cli-answer-in-order";
    answer_with_commas() = "cli-answer-with-commas";
    piece_missing(expected) = "cli-piece-missing";
    piece_extra(heard) = "cli-piece-extra";
    piece_changed(expected, heard) = "cli-piece-changed";
    mark(quality) = "cli-mark";
    no_mark() = "cli-no-mark";
    found(words, idea) = "cli-found";
    missing(idea) = "cli-missing";

    // Keys and commands.
    enter(what) = "cli-enter";
    key(key, what) = "cli-key";
    key_enter() = "cli-key-enter";
    key_again() = "cli-key-again";
    key_why() = "cli-key-why";
    key_quit() = "cli-key-quit";
    commands() = "cli-commands";
    help_lines() = "cli-help-lines";
    help_again() = "cli-help-again";
    help_why() = "cli-help-why";
    help_quit() = "cli-help-quit";
    help_help() = "cli-help-help";
    unknown_command(command) = "cli-unknown-command";
    not_now(command) = "cli-not-now";
    no_questions() = "cli-no-questions";
    nothing_asked() = "cli-nothing-asked";
    all_answered() = "cli-all-answered";
    nothing_to_do() = "cli-nothing-to-do";

    // Packs.
    your_problems() = "cli-your-problems";
    rung(rung) = "cli-rung";
    solved() = "cli-solved";
    your_packs() = "cli-your-packs";
    packs_for(learner) = "cli-packs-for";
    taught_in(language, explained) = "cli-taught-in";
    pack_tally(items, learned, due) = "cli-pack-tally";
    session_is_open() = "cli-session-is-open";
    how_to_begin(command) = "cli-how-to-begin";
    no_packs(folder) = "cli-no-packs";
    left_out(file, command) = "cli-left-out";

    // Courses.
    your_courses() = "cli-your-courses";
    courses_of(learner) = "cli-courses-of";
    course_stands(status, mastered, all) = "cli-course-stands";
    reviews_due(count) = "cli-reviews-due";
    review_when(when) = "cli-review-when";
    could_learn() = "cli-could-learn";
    curriculum(concepts, time, language) = "cli-curriculum";
    minutes(count) = "cli-minutes";
    hours(count) = "cli-hours";
    anything_else() = "cli-anything-else";
    inbox_has(count) = "cli-inbox-has";
    inbox_is_empty() = "cli-inbox-is-empty";
    inbox_asks(command) = "cli-inbox-asks";
    drawing_map() = "cli-drawing-map";
    taken_up() = "cli-taken-up";
    goal_only_for_new() = "cli-goal-only-for-new";
    gate_only_for_new() = "cli-gate-only-for-new";
    again_only_when_over() = "cli-again-only-when-over";
    is_completed(due, review, again) = "cli-is-completed";
    is_abandoned(title, resume, again) = "cli-is-abandoned";
    practise() = "cli-practise";
    other_language(language) = "cli-other-language";
    due_now(count) = "cli-due-now";
    next_review(when) = "cli-next-review";
    nothing_due() = "cli-nothing-due";
    course_waits(title, command) = "cli-course-waits";
    completed() = "cli-completed";
    was_abandoned() = "cli-was-abandoned";
    sure(title) = "cli-sure";
    not_abandoned() = "cli-not-abandoned";
    abandoned(title, id) = "cli-abandoned";
    already_ended(title) = "cli-already-ended";
    already_ended_cure(command) = "cli-already-ended.cure";
    ambiguous_course(name) = "cli-ambiguous-course";
    ambiguous_course_cure(courses) = "cli-ambiguous-course.cure";
    course_since(id, title, status, since) = "cli-course-since";
    unknown_course(name, kind) = "cli-unknown-course";
    unknown_course_cure() = "cli-unknown-course.cure";
    written(file) = "cli-written";
    also_needs(concepts) = "cli-also-needs";
    you_are_here() = "cli-you-are-here";
    map_imported(title, concepts, command) = "cli-map-imported";
    curriculum_imported(title, concepts, command) = "cli-curriculum-imported";

    // The greeting.
    hello() = "cli-hello";
    hello_again(name) = "cli-hello-again";
    first_steps() = "cli-first-steps";
    first_teach() = "cli-first-teach";
    first_drill() = "cli-first-drill";
    first_attempt() = "cli-first-attempt";
    first_agent() = "cli-first-agent";
    more_help() = "cli-more-help";
    greet_reviews(count) = "cli-greet-reviews";
    greet_words(count, pack) = "cli-greet-words";
    greet_patterns(count) = "cli-greet-patterns";
    greet_attempt(title) = "cli-greet-attempt";
    greet_problem(title) = "cli-greet-problem";
    greet_course(title, mastered, all) = "cli-greet-course";
    greet_review(title, when) = "cli-greet-review";
    greet_session(pack) = "cli-greet-session";
    greet_flow(flow) = "cli-greet-flow";
    greet_inbox(count) = "cli-greet-inbox";
    greet_nothing() = "cli-greet-nothing";
    greet_later(when) = "cli-greet-later";
    next_step(command) = "cli-next-step";

    // `etude progress`.
    numbers_nothing() = "cli-numbers-nothing";
    numbers_of(title) = "cli-numbers-of";
    numbers_of_all() = "cli-numbers-of-all";
    numbers_label(about) = "cli-numbers-label";
    numbers_mastery(percent, mastered, concepts) = "cli-numbers-mastery";
    numbers_pace(pace) = "cli-numbers-pace";
    numbers_retention(week, month) = "cli-numbers-retention";
    numbers_unknown() = "cli-numbers-unknown";
    numbers_answers(all, week) = "cli-numbers-answers";
    numbers_area(area, percent) = "cli-numbers-area";
    numbers_words(pack, learned, items, due) = "cli-numbers-words";
    numbers_problems(solved, all) = "cli-numbers-problems";
    numbers_patterns(count, due) = "cli-numbers-patterns";
    numbers_next(command, title) = "cli-numbers-next";

    // The voice.
    voice_started(of, stop_words) = "cli-voice-started";
    voice_iteration(turn, of) = "cli-voice-iteration";
    voice_listening(turn) = "cli-voice-listening";
    voice_woken(turn) = "cli-voice-woken";
    voice_recording(turn) = "cli-voice-recording";
    voice_recorded(turn, samples, seconds) = "cli-voice-recorded";
    voice_transcribing(turn) = "cli-voice-transcribing";
    voice_transcribed(turn, text, ms) = "cli-voice-transcribed";
    voice_parsing(turn) = "cli-voice-parsing";
    voice_intent(turn, kind, confidence) = "cli-voice-intent";
    voice_generating(turn) = "cli-voice-generating";
    voice_answer(turn, text, by) = "cli-voice-answer";
    voice_speaking(turn) = "cli-voice-speaking";
    voice_spoken(turn) = "cli-voice-spoken";
    voice_spoken_after(turn, seconds, ms) = "cli-voice-spoken-after";
    voice_cut_in(turn) = "cli-voice-cut-in";
    voice_not_heard(turn, text) = "cli-voice-not-heard";
    voice_stop_word(turn, word) = "cli-voice-stop-word";
    voice_failed(turn, why, cure) = "cli-voice-failed";
    voice_goes_on(left) = "cli-voice-goes-on";
    voice_over(reason) = "cli-voice-over";
    voice_ended(turns) = "cli-voice-ended";
    voice_reason(reason, source) = "cli-voice-reason";
    voice_complete() = "cli-voice-complete";
    voice_says(text) = "cli-voice-says";
    voice_says_slowly(text) = "cli-voice-says-slowly";
    voice_listens() = "cli-voice-listens";
    voice_hears(text, ms) = "cli-voice-hears";
    voice_fits(text, margin) = "cli-voice-fits";
    voice_silence() = "cli-voice-silence";
    voice_unheard() = "cli-voice-unheard";
    voice_typed() = "cli-voice-typed";
    voice_troubled(why) = "cli-voice-troubled";

    // Coding agents.
    agent_session(session, agent) = "cli-agent-session";
    agent_cut_off(session) = "cli-agent-cut-off";
    agent_sent_on() = "cli-agent-sent-on";
    agent_finished() = "cli-agent-finished";
    agent_failed() = "cli-agent-failed";
    agent_over_to_you() = "cli-agent-over-to-you";
    agent_watchdog() = "cli-agent-watchdog";
    agent_check_proves_nothing() = "cli-agent-check-proves-nothing";
    agent_plan_unreadable() = "cli-agent-plan-unreadable";
    agent_found() = "cli-agent-found";
    agent_nobody() = "cli-agent-nobody";
    /// The state of an open session, or the outcome of an ended one.
    agent_state(state) = "cli-agent-state";
    agent_phase(phase) = "cli-agent-phase";
    agent_summary(agent, session, stops, saved, claims, deliveries, questions) = "cli-agent-summary";
    agent_spent(agent, model) = "cli-agent-spent";
    agent_spent_by_model(model) = "cli-agent-spent-by-model";
    agent_alarms(count) = "cli-agent-alarms";
    agent_no_log() = "cli-agent-no-log";
    agent_tier(tier) = "cli-agent-tier";
    agent_by_model() = "cli-agent-by-model";
    agent_coached() = "cli-agent-coached";
    agent_no_folder() = "cli-agent-no-folder";
    agent_paused(agent, session) = "cli-agent-paused";
    agent_unpaused(agent, session) = "cli-agent-unpaused";
    agent_is_on() = "cli-agent-is-on";
    agent_is_off() = "cli-agent-is-off";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_says_everything() {
        let keys = [KEYS, learner::words::KEYS, learner::words::REFUSALS].concat();
        assert_eq!(coaching::words::problems(FILES, &keys), Vec::<String>::new());
    }

    #[test]
    fn times_are_said_as_people_say_them() {
        const HOUR_US: i64 = 3_600_000_000;
        // Nine in the morning, in a profile whose day begins at four.
        let nine_us = 20_000 * 24 * HOUR_US + 9 * HOUR_US;
        let now = Now::new(nine_us, &Profile::default());
        let lexicon = Lexicon::new(FILES.iter().copied());
        let check = |hours: f64, expected: [&str; 2]| {
            let text = now.until(nine_us + (hours * HOUR_US as f64) as i64);
            assert_eq!(["en", "de"].map(|language| lexicon.say(language, &text)), expected, "{hours}");
        };
        check(-5.0, ["now", "jetzt"]);
        check(1.0 / 60.0, ["in 1 minute", "in 1 Minute"]);
        check(1.4, ["in 84 minutes", "in 84 Minuten"]);
        check(5.2, ["in 5 hours", "in 5 Stunden"]);
        check(18.9, ["in 19 hours", "in 19 Stunden"]);
        check(19.0, ["tomorrow", "morgen"]);
        check(42.9, ["tomorrow", "morgen"]);
        check(43.0, ["in 2 days", "in 2 Tagen"]);
        check(72.0, ["in 3 days", "in 3 Tagen"]);
        check(24.0 * 40.0, ["in 40 days", "in 40 Tagen"]);
        check(24.0 * 365.25, ["in 12 months", "in 12 Monaten"]);
    }
}
