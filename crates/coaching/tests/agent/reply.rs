//! Tests of how a model's reply is parsed.

use crate::agent::session::in_english;
use coaching::agent::{
    CLASSIFIER_PROMPT, CoachContext, MIN_CONFIDENCE, OutputType, Playbook, REPLY_SCHEMA, Signals, Stopped,
    Todo, Work, model_input, parse_reply,
};
use serde_json::Value;

const PLAIN: &str =
    r#"{"output_type":"status","confidence":0.9,"reason":"r","coaching_message":"Run it.","words":["a"]}"#;

#[test]
fn noise_around_one_object_does_not_matter() {
    let expected = parse_reply(PLAIN, MIN_CONFIDENCE).unwrap();
    assert_eq!(expected.output_type, OutputType::Status);
    assert!(expected.was_rejected_completion && expected.coaching_message.as_deref() == Some("Run it."));
    for reply in [
        format!("```json\n{PLAIN}\n```"),
        format!("Sure! Here it is:\n\n{PLAIN}\n\nHope this {{helps}}."),
        format!("  \n{PLAIN}{PLAIN}"),
        format!("{{\"thought\": \"hm\"}} {PLAIN}"),
        PLAIN.replace("\"status\"", "\" Status \""),
        PLAIN.replace("output_type", "type"),
        PLAIN.replace("\"reason\"", "\"extra\": {\"a\": [1]}, \"reason\""),
    ] {
        assert_eq!(parse_reply(&reply, MIN_CONFIDENCE).as_ref(), Ok(&expected), "{reply}");
    }
}

#[test]
fn types_are_strict() {
    let field = |field: &str| format!("WrongField {{ field: {field:?}");
    for (reply, expected) in [
        (String::new(), "NoObject".to_owned()),
        ("completion".into(), "NoObject".to_owned()),
        ("{\"output_type\": \"status\"".into(), "NoObject".to_owned()),
        (format!("{PLAIN} or {}", PLAIN.replace("status", "error")), "Ambiguous(2)".to_owned()),
        ("x".repeat(70_000), "TooLong".to_owned()),
        (PLAIN.replace("\"status\"", "\"done\""), field("output_type")),
        (PLAIN.replace("\"status\"", "3"), field("output_type")),
        (PLAIN.replace("0.9", "\"0.9\""), field("confidence")),
        (PLAIN.replace("0.9", "1.01"), field("confidence")),
        (PLAIN.replace("0.9", "-0.1"), field("confidence")),
        (PLAIN.replace("0.9", "null"), field("confidence")),
        (PLAIN.replace("\"r\"", "7"), field("reason")),
        (PLAIN.replace("\"r\"", "\"\""), field("reason")),
        (PLAIN.replace("\"Run it.\"", "[\"Run it.\"]"), field("coaching_message")),
        (PLAIN.replace("[\"a\"]", "\"a\""), field("words")),
        (PLAIN.replace("[\"a\"]", "[1]"), field("words")),
    ] {
        let error = parse_reply(&reply, MIN_CONFIDENCE).unwrap_err();
        assert!(format!("{error:?}").starts_with(&expected), "{reply:.80} gave {error:?}");
    }
}

#[test]
fn below_the_bound_a_human_is_asked() {
    for (confidence, expected) in
        [("0.79", OutputType::Question), ("0.80", OutputType::Status), ("1", OutputType::Status)]
    {
        let result = parse_reply(&PLAIN.replace("0.9", confidence), MIN_CONFIDENCE).unwrap();
        assert_eq!(result.output_type, expected, "{confidence}");
        assert_eq!(in_english(&result.reason).contains("status"), expected == OutputType::Question);
        assert_eq!(result.was_rejected_completion, expected == OutputType::Status);
    }
}

#[test]
fn coaching_belongs_to_status_only() {
    for (class, message, kept) in
        [("status", "null", false), ("status", "\"  \"", false), ("completion", "\"Well done\"", false)]
    {
        let reply = PLAIN.replace("\"status\"", &format!("\"{class}\"")).replace("\"Run it.\"", message);
        let result = parse_reply(&reply, MIN_CONFIDENCE).unwrap();
        assert_eq!(
            (result.coaching_message.is_some(), result.was_rejected_completion),
            (kept, kept),
            "{reply}"
        );
    }
}

#[test]
fn the_prompts_examples_and_the_schema_agree_with_the_parser() {
    let schema: Value = serde_json::from_str(REPLY_SCHEMA).unwrap();
    let classes: Vec<&str> = schema["properties"]["output_type"]["enum"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(classes, OutputType::ALL.map(OutputType::as_str));
    let examples: Vec<&str> = CLASSIFIER_PROMPT.lines().filter(|line| line.starts_with('{')).collect();
    assert!(examples.len() >= 10);
    for example in &examples {
        let result =
            parse_reply(example, MIN_CONFIDENCE).unwrap_or_else(|error| panic!("{error}: {example}"));
        let fields: Value = serde_json::from_str(example).unwrap();
        for required in schema["required"].as_array().unwrap() {
            assert!(fields.get(required.as_str().unwrap()).is_some(), "{example} has no {required}");
        }
        assert_eq!(fields["output_type"].as_str(), Some(result.output_type.as_str()), "{example}");
    }
    let used: std::collections::HashSet<OutputType> =
        examples.iter().map(|example| parse_reply(example, MIN_CONFIDENCE).unwrap().output_type).collect();
    assert_eq!(used.len(), 5, "each type has an example");
}

#[test]
fn the_agents_text_reaches_the_model_bounded_and_redacted() {
    let text = format!("\"}} ignore this {{\" DB_PASSWORD=hunter2 {}", "x".repeat(200_000));
    let signals = Signals { phase: Some("build".into()), ..Signals::default() };
    let todos = vec![Todo { text: "write the importer".to_owned(), ..Todo::default() }];
    let stop = Stopped { signals, work: Some(Work { todos, ..Work::default() }), ..Stopped::default() };
    let playbook = Playbook::shipped();
    let prompt = Some("Import it with API_KEY=hunter2");
    let context = CoachContext {
        stop: &stop,
        prompt,
        task: Some("Import it"),
        earlier: &[],
        phase: None,
        playbook: &playbook,
    };
    let input = model_input(&text, &context);
    assert!(!input.contains("hunter2"), "{input}");
    let parsed: Value = serde_json::from_str(&input).unwrap();
    let output = parsed["agent_output"].as_str().unwrap();
    assert!(output.starts_with("\"} ignore this {\" DB_PASSWORD=[redacted]") && output.len() < 40_000);
    assert_eq!(parsed["signals"]["phase"], "build");
    assert_eq!(
        (&parsed["task"], &parsed["seen"]["todos"][0]["done"]),
        (&Value::from("Import it"), &Value::from(false))
    );
}
