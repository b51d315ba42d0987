//! Tests of a flow from outside the project, `examples/guess`, on every surface; no surface knows it by name.

use crate::common::{Folder, built_example, text};
use crate::mcp::client::Client;
use crate::telegram::bot::{BotApi, link};
use serde_json::{Value, json};

const ADA: i64 = 42;

fn folder() -> Folder {
    Folder::of(built_example("guess"))
}

/// Halves the range until the coach is satisfied. `guess` sends a number and returns the coach's answer.
fn play(mut guess: impl FnMut(u32) -> String, higher: &str, right: &str) {
    let (mut low, mut high) = (1, 100);
    for _ in 0..7 {
        let middle = (low + high) / 2;
        match guess(middle) {
            said if said.contains(right) => return,
            said if said.contains(higher) => low = middle + 1,
            _ => high = middle - 1,
        }
    }
    panic!("seven guesses are enough for a hundred numbers");
}

#[test]
fn the_law_is_proved_and_the_help_describes_the_flow() {
    let folder = folder();
    let checked = folder.run(&["check", "guess"]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    let help = folder.run(&["--help"]).stdout;
    assert!(help.contains("guess") && help.contains("told only whether it is higher"), "{help}");
}

#[test]
fn in_a_terminal() {
    let folder = folder();
    let mut typed = String::from("fifty\n");
    let shown = folder.run_with(&["guess", "--set", "highest=1"], format!("{typed}1\n").as_bytes());
    assert!(shown.all().contains("“fifty” is not a whole number"), "{shown:?}");
    assert!(shown.stdout.contains("Which number from 1 to 1 am I thinking of?"), "{shown:?}");
    assert!(shown.stdout.contains("1 it is!"), "{shown:?}");
    // All guesses wrong: the law reveals the number.
    typed = "200\n".repeat(7);
    let shown = folder.run_with(&["guess", "--language", "de"], typed.as_bytes());
    assert!(shown.stdout.contains("Sie ist kleiner als 200."), "{shown:?}");
    assert!(shown.stdout.contains("Es war die "), "{shown:?}");
}

#[test]
fn over_http() {
    let folder = folder();
    let server = folder.serve(&[]);
    let contract = server.client.get("/openapi.json").json();
    assert!(contract["paths"]["/api/guesses/{id}/guess"]["post"].is_object(), "the contract knows it");
    let opened = server.client.post("/api/guesses", &json!({"learner": "ada"}));
    assert_eq!(opened.status, 201, "{opened:?}");
    let id = text(&opened.json(), "/id").to_owned();
    let path = format!("/api/guesses/{id}/guess");
    let refused = server.client.post(&path, &json!({"text": "many"}));
    assert_eq!((refused.status, text(&refused.json(), "/code")), (422, "not_a_number"), "{refused:?}");
    let guess = |number: u32| {
        let reply = server.client.post(&path, &json!({"text": number.to_string()})).json();
        said(&reply)
    };
    play(guess, "higher than", "it is!");
    let view = server.client.get(&format!("/api/guesses/{id}")).json();
    assert_eq!((&view["outcome"], &view["desk"]["ask"]), (&json!("guessed"), &Value::Null), "{view}");
}

#[test]
fn as_tools() {
    let folder = folder();
    let mut client = Client::stdio(&folder, &["--learner", "ada"]);
    let opened = client.call("guess_start", json!({}));
    let id = text(&opened.structured, "/id").to_owned();
    let guess = |number: u32| {
        let called = client.call("guess_number", json!({"guess_id": id, "text": number.to_string()}));
        assert!(!called.is_error, "{called:?}");
        said(&called.structured)
    };
    play(guess, "higher than", "it is!");
}

#[test]
fn in_a_chat() {
    let (folder, bot) = (folder(), BotApi::start());
    bot.configure(&folder, "");
    let _server = folder.serve(&[]);
    link(&folder, &bot, "ada", ADA);
    bot.say(ADA, "/help");
    bot.hear(ADA, 0, "the help names it", |text| text.contains("/guess"));
    bot.say(ADA, "/guess");
    let before = bot.hear(ADA, 0, "it asks", |text| text.contains("Which number from 1 to 100")).len();
    bot.say(ADA, "/stop");
    let before = bot.hear(ADA, before, "it is put aside", |text| text.contains("put it aside")).len();
    bot.say(ADA, "/guess");
    bot.hear(ADA, before, "it asks again", |text| text.contains("Which number from 1 to 100"));
    let guess = |number: u32| {
        let before = bot.said(ADA).len();
        bot.say(ADA, &number.to_string());
        let is_answer = |text: &str| text.contains(&number.to_string());
        bot.hear(ADA, before, "an answer", is_answer).split_off(before).join(" ")
    };
    play(guess, "higher than", "it is!");
}

fn said(answer: &Value) -> String {
    let lines = answer["said"].as_array().expect("lines");
    lines.iter().map(|line| text(line, "/say")).collect::<Vec<_>>().join(" ")
}
