//! Tests of the voice as people meet it: typed, from files, over HTTP and over Wyoming.

mod course;
mod devices;
mod drill;
mod servers;

use crate::common::{Folder, Outcome, text};
use crate::peers;
use coaching::desk::Form;
use serde_json::{Value, json};
use shell::voice::holding::may_be_command;
use std::path::Path;
use std::sync::LazyLock;

fn typed(folder: &Folder, arguments: &[&str], lines: &str) -> Outcome {
    folder.run_with(&[&["voice", "--text"], arguments].concat(), lines.as_bytes())
}

#[test]
fn the_log_of_a_run_lists_every_step() {
    let folder = Folder::new();
    let run = typed(&folder, &["--language", "en"], "hello there\ngoodbye\nnever heard\n");
    assert_eq!(run.code, Some(0), "{run:?}");
    for line in [
        "[run] Max interactions: 3",
        "[Loop] Iteration 1/3",
        "[Iteration 1] Listening for wake word...",
        "[Iteration 1] Wake word detected!",
        "[Iteration 1] Transcribed: 'hello there'",
        "[Iteration 1] Intent: greeting (confidence=0.95)",
        "[Iteration 1] Response: 'Hello! How can I help you today?'",
        "[Iteration 1] Response spoken",
        "[Loop] Continuing... (2 interactions remaining)",
        "[Iteration 2] Intent: unknown (confidence=0.10)",
        "[Iteration 2] Stop keyword detected: 'goodbye'",
        "[Loop] Exiting after 2 interaction(s)",
        "[Loop] Reason: User requested stop (“goodbye”) (source: user)",
    ] {
        assert!(run.stdout.contains(line), "`{line}` is missing: {}", run.stdout);
    }
    assert!(!run.stdout.contains("never heard"));
}

#[test]
fn runs_are_bounded_and_independent() {
    let folder = Folder::new();
    for _ in 0..2 {
        let run = typed(&folder, &["--json", "--language", "en"], "hello\n\nwhat time is it\nhello\n").json();
        assert_eq!((&run["interactions"], &run["outcome"]), (&json!(3), &json!("cap")), "{run}");
        assert_eq!(run["turns"][1]["answer"], "I didn’t hear anything.");
        assert_eq!(run["turns"][2]["intent"], "question");
        assert!(run["turns"][2]["answer"].as_str().unwrap().starts_with("It is "), "{run}");
    }
    let left = typed(&folder, &["--json"], "hello\n").json();
    assert_eq!((&left["interactions"], &left["outcome"]), (&json!(1), &json!("user")), "{left}");
    let one = typed(&folder, &["--json", "--set", "max_interactions=1"], "hello\nhello\n").json();
    assert_eq!((&one["interactions"], &one["outcome"]), (&json!(1), &json!("cap")));
}

#[test]
fn the_coach_answers_in_german_and_leads_on_to_a_drill() {
    let folder = Folder::new();
    let run = typed(&folder, &["--language", "de"], "Was bedeutet Danke?\nTschüss\n");
    assert!(run.stdout.contains("[Runde 1] Absicht: Frage (Sicherheit=1.00)"), "{run:?}");
    assert!(run.stdout.contains("Beendet auf Wunsch („tschüss“)"), "{run:?}");
    let run = typed(&folder, &["--language", "en"], "start the German drill\nHallo!\nstop\n");
    assert!(run.stdout.contains("Let’s practise German: first words."), "{run:?}");
    assert!(run.stdout.contains("Hallo") && run.stdout.contains("etude drill german-first-words"), "{run:?}");
}

#[test]
fn the_coach_keeps_languages_apart() {
    let folder = Folder::new();
    let check = |language: &str, said: &str, answer: &str| {
        let run = typed(&folder, &["--language", language, "--set", "max_interactions=1"], said);
        assert!(run.stdout.contains(answer), "{said}: {run:?}");
    };
    check("en", "how do you say thank you in German", "“thank you” is “Danke”.");
    check("en", "how do you say thank you in Spanish", "“thank you” is “Gracias”.");
    check("en", "how do you say coffee in German", "“coffee” is “Kaffee”");
    check("en", "what does Kaffee mean", "“Kaffee” means: coffee.");
    check("en", "German", "Let’s practise German: first words.");
    check("en", "let's practise Spanish", "Let’s practise Spanish: first words.");
    let unknown = "„danke“ kenne ich nicht. Ich kenne nur die Wörter aus deinen Paketen.";
    check("de", "Wie sage ich danke auf Spanisch", unknown);
}

#[test]
fn repeated_answers_are_shown() {
    let run = typed(&Folder::new(), &["--language", "en"], "what does Danke mean\nrepeat that\n");
    assert_eq!(run.stdout.matches("“Danke” means").count(), 2, "{run:?}");
    assert!(!run.stdout.contains("Once more"), "what is not spoken is no response: {run:?}");
    let run = typed(&Folder::new(), &["--language", "en"], "repeat that\n");
    assert!(run.stdout.contains("Response: 'There is nothing to repeat here. Just ask again.'"), "{run:?}");
}

#[test]
fn intents_can_be_tried() {
    let folder = Folder::new();
    let found =
        folder.run(&["voice", "intent", "--json", "hello", "what's the weather?", "play some music"]).json();
    let found: Vec<(&Value, &Value)> =
        found.as_array().unwrap().iter().map(|intent| (&intent["kind"], &intent["confidence"])).collect();
    let expected = [("greeting", 0.95), ("question", 1.0), ("command", 0.75)];
    for ((kind, confidence), expected) in found.iter().zip(expected) {
        assert_eq!((kind.as_str(), confidence.as_f64()), (Some(expected.0), Some(expected.1)));
    }
    let blank = folder.run(&["voice", "intent", " ? "]);
    assert_eq!(blank.code, Some(2));
    assert!(blank.stderr.contains("there are no words in this"), "{blank:?}");
}

#[test]
fn a_turn_over_http_is_one_request() {
    let folder = Folder::new();
    let server = folder.serve(&[]);
    let opened = server.client.post("/api/voices", &json!({"learner": "ada", "language": "en"}));
    assert_eq!(opened.status, 201, "{opened:?}");
    let path = format!("/api/voices/{}/say", opened.json()["id"].as_str().unwrap());
    let said = server.client.post(&path, &json!({"text": "what can you do"})).json();
    assert!(said["said"][0]["say"].as_str().unwrap().starts_with("Ask me what is due"), "{said}");
    let stopped = server.client.post(&path, &json!({"text": "please stop now"})).json();
    assert_eq!((&stopped["outcome"], &stopped["data"]["stop_word"]), (&json!("user"), &json!("stop")));
}

#[test]
fn an_answer_in_whole_sentences_is_no_command() {
    for (form, text, may_be) in [
        (Form::Text, "Stop.", true),
        (Form::Text, "I want to stop now", true),
        (Form::Text, "You stop when the list is empty.", false),
        (Form::Text, "The loop repeats until the exit condition holds", false),
        (Form::Say, "well I think that I would like to stop now", true),
    ] {
        assert_eq!(may_be_command(&form, text), may_be, "{form:?}: {text}");
    }
}

#[test]
fn missing_engines_are_reported_with_a_cure() {
    let folder = Folder::new();
    let sound = folder.write("a.wav", wav(16_000, 1, &vec![0; 16_000]));
    let none = folder.data().join("none").display().to_string();
    let run = folder.run(&["voice", "--input", &sound, "--models", &none]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stderr.contains("etude voice setup") && run.stderr.contains("--text"), "{run:?}");
    let run = folder.run(&["voice", "say", "hello", "--output", &sound, "--models", &none]);
    assert!(run.stderr.contains("etude voice setup"), "{run:?}");
}

/// Builds a WAV file of 16-bit samples.
pub fn wav(rate: u32, channels: u16, samples: &[i16]) -> Vec<u8> {
    let data: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
    let mut file = b"RIFF".to_vec();
    file.extend((36 + data.len() as u32).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0");
    file.extend(channels.to_le_bytes());
    file.extend(rate.to_le_bytes());
    file.extend((rate * u32::from(channels) * 2).to_le_bytes());
    file.extend((channels * 2).to_le_bytes());
    file.extend(b"\x10\0data");
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    file
}

/// Returns the rate and the samples of a file that Etude wrote, which is 16-bit mono.
pub fn samples(path: &str) -> (u32, Vec<i16>) {
    let file = std::fs::read(path).expect("the file is there");
    let rate = u32::from_le_bytes(file[24..28].try_into().unwrap());
    (rate, file[44..].chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect())
}

/// The engines' folder in the user's cache, filled once by the program itself.
static MODELS: LazyLock<Result<String, String>> = LazyLock::new(|| {
    let tools = peers::run(peers::script("test-tools").arg("path"))?;
    let cache = Path::new(tools.trim()).ancestors().nth(2).expect("the tools are in the cache");
    let models = cache.join("voice").display().to_string();
    let folder = Folder::new();
    peers::run(folder.command(&["voice", "setup", "--models", &models]).env("PATH", peers::path()))?;
    Ok(models)
});

pub fn models() -> Option<&'static str> {
    peers::found(MODELS.as_ref().map(String::as_str).map_err(Clone::clone))
}

/// Speaks a text into a file and returns its path.
pub fn spoken(folder: &Folder, models: &str, name: &str, text: &str, language: &str) -> String {
    let path = folder.write(name, "");
    let run =
        folder.run(&["voice", "say", text, "--language", language, "--output", &path, "--models", models]);
    assert_eq!(run.code, Some(0), "{run:?}");
    path
}

#[test]
fn a_file_stands_in_for_the_microphone() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let question = spoken(&folder, models, "q.wav", "What time is it?", "en");
    let answer = folder.write("answer.wav", "");
    let arguments = [
        "voice",
        "--json",
        "--language",
        "en",
        "--wake",
        "none",
        "--input",
        &question,
        "--output",
        &answer,
        "--models",
        models,
    ];
    let run = folder.run(&arguments).json();
    assert_eq!(run["turns"][0]["intent"], "question", "{run}");
    assert!(run["turns"][0]["answer"].as_str().unwrap().starts_with("It is "), "{run}");
    assert_eq!(run["outcome"], "timeout");
    let (rate, said) = samples(&answer);
    assert!(said.len() > rate as usize / 2 && said.iter().any(|sample| sample.abs() > 1_000), "it is spoken");
    // Stereo sound at another rate, and far too loud.
    let (rate, mono) = samples(&question);
    let loud: Vec<i16> = mono.iter().flat_map(|sample| [sample.saturating_mul(8); 2]).collect();
    let stereo = folder.write("stereo.wav", wav(rate, 2, &loud));
    let heard = folder.run(&["voice", "hear", "--json", &stereo, "--models", models]).json();
    assert!(heard["text"].as_str().unwrap().to_lowercase().contains("time"), "{heard}");
    assert!(heard["clipping"].as_f64().unwrap() > 0.01, "{heard}");
}

#[test]
fn the_wake_word_begins_a_turn() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let question = spoken(&folder, models, "question.wav", "What time is it?", "en");
    let (rate, question) = samples(&question);
    let pause = |seconds: f32| vec![0; (rate as f32 * seconds) as usize];
    let asked = |before: Vec<i16>| {
        let sound = [pause(1.0), before, pause(0.4), question.clone(), pause(1.0)].concat();
        let input = folder.write("in.wav", wav(rate, 1, &sound));
        folder.run(&["voice", "--json", "--language", "en", "--input", &input, "--models", models]).json()
    };
    let unasked = asked(Vec::new());
    assert_eq!((&unasked["interactions"], &unasked["outcome"]), (&json!(0), &json!("timeout")), "{unasked}");
    let woken = asked(samples(&spoken(&folder, models, "name.wav", "Hey LiveKit!", "en")).1);
    assert_eq!(
        (&woken["interactions"], &woken["turns"][0]["intent"]),
        (&json!(1), &json!("question")),
        "{woken}"
    );
    assert!(text(&woken, "/turns/0/answer").starts_with("It is "), "{woken}");
}

#[test]
fn earlier_speech_changes_nothing() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let say = |text: &str| samples(&spoken(&folder, models, "said.wav", text, "en"));
    let (rate, question) = say("What time is it?");
    let after = |text: &str| {
        // The first part is equally long in each file, so that the question is cut into the same frames.
        let mut sound = say(text).1;
        sound.resize(rate as usize * 4, 0);
        sound.extend(&question);
        sound.resize(rate as usize * 8, 0);
        let input = folder.write("in.wav", wav(rate, 1, &sound));
        let arguments = ["voice", "--json", "--language", "en", "--wake", "none", "--input", &input];
        let run = folder.run(&[&arguments[..], &["--models", models]].concat()).json();
        assert_eq!(run["interactions"], 2, "{run}");
        let turn = &run["turns"][1];
        (turn["heard"].clone(), turn["recorded_seconds"].clone(), turn["intent"].clone())
    };
    assert_eq!(after("Hello there."), after("Thank you very much."));
}

#[test]
fn bad_sound_gets_a_clear_answer() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let cut = wav(16_000, 1, &vec![0; 16_000])[..30].to_vec();
    let cases = [
        ("empty.wav", Vec::new(), "it is empty"),
        ("text.wav", b"hello".to_vec(), "it is not a WAV file"),
        ("cut.wav", cut, "its format is cut off"),
        ("none.wav", wav(16_000, 1, &[]), "it has no sound in it"),
        ("odd.wav", wav(1, 1, &[0; 8]), "1 Hz"),
    ];
    for (name, content, why) in cases {
        let path = folder.write(name, content);
        let run = folder.run(&["voice", "--input", &path, "--models", models]);
        assert_eq!(run.code, Some(1), "{name}: {run:?}");
        assert!(run.stderr.contains(why) && run.stderr.contains("do:"), "{name}: {run:?}");
    }
    let silence = folder.write("silence.wav", wav(44_100, 2, &vec![0; 44_100 * 2 * 3]));
    let run =
        folder.run(&["voice", "--json", "--wake", "none", "--input", &silence, "--models", models]).json();
    assert_eq!((&run["interactions"], &run["outcome"]), (&json!(0), &json!("timeout")), "{run}");
    let heard = folder.run(&["voice", "hear", "--json", &silence, "--models", models]).json();
    assert_eq!(heard["text"], "", "silence has no words: {heard}");
    let same = folder.run(&["voice", "--input", &silence, "--output", &silence, "--models", models]);
    assert!(same.stderr.contains("is the input and the output"), "{same:?}");
    let endless = folder.run(&["voice", "hear", "/dev/zero", "--models", models]);
    assert!(endless.stderr.contains("more than 170 MB"), "{endless:?}");
    let quoted = "sh -c 'echo gone away >&2; exit 3'";
    let quoted = folder.run(&["voice", "--record-with", quoted, "--play-with", "true", "--models", models]);
    assert!(quoted.stdout.contains("says: gone away"), "{quoted:?}");
    let gone =
        ["voice", "--record-with", "sh -c false", "--play-with", "cat", "--wake", "none", "--models", models];
    let run = folder.run(&gone);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("the microphone cannot be used"), "{run:?}");
    assert!(
        run.stdout.contains("Sorry, something went wrong") || run.stdout.contains("source: error"),
        "{run:?}"
    );
}

#[test]
fn the_engines_report_nothing() {
    let Some(models) = models() else { return };
    let folder = Folder::new();
    let home = folder.data().with_file_name("home");
    std::fs::create_dir_all(&home).unwrap();
    let output = folder.write("said.wav", "");
    let mut say = folder.command(&["voice", "say", "hello", "--output", &output, "--models", models]);
    let said = say.env("HOME", &home).env_remove("XDG_CACHE_HOME").output().expect("the program runs");
    assert!(said.status.success(), "{said:?}");
    let left: Vec<_> = std::fs::read_dir(&home).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.is_empty(), "the runtime has left something in the home folder: {left:?}");
}

#[test]
fn the_chain_hears_what_it_says() {
    let Some(models) = models() else { return };
    let run = Folder::new().run(&["voice", "test", "--json", "--models", models]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let tried = run.json();
    let languages = tried["languages"].as_array().expect("a list");
    assert_eq!(languages.len(), 2);
    for language in languages {
        assert!(
            language["transcribed_in_ms"].as_u64() > Some(0),
            "it is heard and not remembered: {language}"
        );
    }
    // Engines of other programs are tested instead of our own.
    let none = Folder::new().data().display().to_string();
    let others = ["--tts", "tcp://127.0.0.1:1", "--stt", "tcp://127.0.0.1:1", "--models", &none];
    let run = Folder::new().run(&[&["voice", "test"][..], &others].concat());
    assert!(run.code == Some(1) && run.stderr.contains("127.0.0.1:1 cannot be reached"), "{run:?}");
}
