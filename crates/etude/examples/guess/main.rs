//! Etude with one additional flow, a number-guessing game: its law, its words and this file. The terminal,
//! HTTP, MCP, the chat and the web page all present the game without any code of their own for it. Play it with
//! `cargo run --example guess -- guess`.

use coaching::desk::{Ask, Desk, Form, Progress, Role};
use coaching::face::{Answers, Does, Face, Given, Http, NEEDS, Tool, VERB, Verb, schema};
use coaching::rejected::Rejected;
use coaching::turn::{At, Flow, Stage};
use coaching::{refusals, words};
use flow::{Machine, Origin, Vocabulary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shell::engine::flows::FlowEntry;

fn main() -> std::process::ExitCode {
    etude::run(|own_packs| shell::builtin::flows(own_packs).with(FlowEntry::of(|| Guess)))
}

flow::names! { pub enum Action { Compare = "compare", Hint = "hint", Praise = "praise", Reveal = "reveal" } }
flow::names! { pub enum Event { Guess = "guess", Leave = "leave", Compared = "compared" } }
flow::names! { pub enum Fact { IsRight = "is_right" } }

words! {
    title() = "guess-title";
    question(highest) = "guess-question";
    used() = "guess-used";
    higher(number) = "guess-higher";
    lower(number) = "guess-lower";
    right(number) = "guess-right";
    missed(number) = "guess-missed";
}
refusals! { not_a_number(text) = "guess-not-a-number", "not_a_number"; }

struct Guess;

#[derive(Debug, Default, Serialize, Deserialize)]
struct Data {
    number: u32,
    guess: u32,
}

/// The payload of a guess.
#[derive(Debug, Deserialize, JsonSchema)]
struct Guessed {
    /// A whole number
    text: String,
}

/// The part of a game that programs may see. It leaves out the number.
#[derive(Debug, Serialize, JsonSchema)]
struct Shown {
    guesses: u32,
    last_guess: Option<u32>,
}

const OPEN: Verb = Verb {
    name: "open",
    does: Does::Opens,
    prepare: |_: Given<'_>| json!({}),
    http: Some(Http { operation: "start_guess", path: "/api/guesses", summary: "Start a game" }),
    tool: Some(Tool {
        id: None,
        ..tool("guess_start", "Start a game", "Thinks of a number for the learner.")
    }),
    chat: &["guess"],
    ..VERB
};
const GUESS: Verb = Verb {
    name: "guess",
    does: Does::Says(Event::Guess.name()),
    payload: Some(schema::<Guessed>),
    http: Some(Http { operation: "guess", path: "/api/guesses/{id}/guess", summary: "Guess a number" }),
    tool: Some(tool("guess_number", "Guess", "Passes on the number that the learner guesses.")),
    ..VERB
};
const LEAVE: Verb = Verb { name: "leave", does: Does::Ends(Event::Leave.name()), typed: &[":leave"], ..VERB };

const fn tool(name: &'static str, title: &'static str, about: &'static str) -> Tool {
    Tool { name, title, about, id: Some("guess_id"), answers: Answers::View }
}

fn vocabulary() -> Vocabulary {
    Vocabulary::of::<Action, Event, Fact>("Guess", |event| match event {
        Event::Guess | Event::Leave => Origin::Learner,
        Event::Compared => Origin::Machine,
    })
    .reading(&["highest", "max_guesses"])
    .counting(&["guesses"])
}

impl Flow for Guess {
    type Action = Action;
    type Event = Event;
    type Fact = Fact;
    type Data = Data;
    type More = Shown;
    const FACE: Face = Face {
        name: "guess",
        law: include_str!("law.yaml"),
        vocabulary,
        words: &[("en", include_str!("words/en.ftl")), ("de", include_str!("words/de.ftl"))],
        verbs: &[OPEN, GUESS, LEAVE],
        looks: &[],
        find: None,
        needs: NEEDS,
    };

    fn open(&self, _: &Value, machine: &Machine, stage: &mut Stage<'_>) -> Result<Data, Rejected> {
        let highest = machine.number("highest", 1).max(1) as u64;
        Ok(Data { number: (stage.moment.seed % highest) as u32 + 1, guess: 0 })
    }

    fn hear(
        &self,
        data: &mut Data,
        event: Event,
        payload: &Value,
        _: &mut Stage<'_>,
    ) -> Result<(), Rejected> {
        if event == Event::Guess {
            let text = Guessed::deserialize(payload).map_or_else(|_| String::new(), |guessed| guessed.text);
            data.guess = text.trim().parse().map_err(|_| not_a_number(&text))?;
        }
        Ok(())
    }

    fn holds(&self, data: &Data, fact: Fact) -> bool {
        match fact {
            Fact::IsRight => data.guess == data.number,
        }
    }

    fn act(&self, data: &mut Data, action: Action, _: &At<'_>, stage: &mut Stage<'_>) {
        match action {
            Action::Compare => {}
            Action::Hint if data.guess < data.number => stage.tell(Role::Hint, higher(data.guess)),
            Action::Hint => stage.tell(Role::Hint, lower(data.guess)),
            Action::Praise => stage.tell(Role::Feedback, right(data.number)),
            Action::Reveal => stage.tell(Role::Feedback, missed(data.number)),
        }
    }

    fn settled(&self, _: &Data, at: &At<'_>) -> Option<Event> {
        at.takes(Event::Compared.name()).then_some(Event::Compared)
    }

    fn desk(&self, _: &Data, at: &At<'_>) -> Desk {
        let question = question(at.number("highest").unwrap_or(1));
        let ask = Ask { verb: "guess".to_owned(), question, form: Form::Number };
        Desk {
            title: title(),
            ask: (!at.is_final()).then_some(ask),
            progress: vec![Progress::new("guesses", used(), at.counter("guesses"), at.number("max_guesses"))],
            ..Desk::default()
        }
    }

    fn more(&self, data: &Data, at: &At<'_>) -> Shown {
        let guesses = at.counter("guesses");
        Shown { guesses, last_guess: (guesses > 0).then_some(data.guess) }
    }
}
