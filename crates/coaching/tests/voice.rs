//! Tests of the voice loop: what it understands, when it stops, and that no turn depends on another.

use coaching::ask::{MODEL_KIND, ModelAsk};
use coaching::face::Documents;
use coaching::pack::Pack;
use coaching::turn::{AnyFlow, Flow, Input, Moment, Source, Turned, Typed};
use coaching::voice::intent::{Intent, Topic, stop_word};
use coaching::voice::{KNOWLEDGE_KIND, VoiceLoop, stop_words, vocabulary, words};
use coaching::words::{Lexicon, problems};
use flow::{Bounds, Facts, Law, Machine, Migration, Overrides, check, diff};
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn the_law_is_proved_with_these_names() {
    let law = Law::read(VoiceLoop::FACE.law).unwrap();
    let report = check(&law, Some(&vocabulary()), &Overrides::new(), Bounds::default()).unwrap();
    assert!(report.complete && report.is_clean(), "{:#?}", report.problems);
}

#[test]
fn runs_under_way_move_to_this_law() {
    let old = bound(include_str!("laws/voice-1.1.yaml"), &Overrides::new());
    let new = bound(VoiceLoop::FACE.law, &Overrides::new());
    let difference = diff(&old, &new, &Migration::default(), Bounds::default());
    assert!(difference.compatible, "{:#?}", difference.homeless);
}

#[test]
fn every_language_has_every_sentence() {
    assert_eq!(problems(words::FILES, &[words::KEYS, words::REFUSALS].concat()), Vec::<String>::new());
}

/// Each row: the text, the language, the kind of intent, and the confidence.
const INTENTS: &[(&str, &str, &str, f64)] = &[
    ("hello", "en", "greeting", 0.95),
    ("hi there", "en", "greeting", 0.95),
    ("HELLO THERE", "en", "greeting", 0.95),
    ("good morning", "en", "greeting", 0.95),
    ("hello, coach", "en", "greeting", 0.95),
    ("hello once more", "en", "greeting", 0.95),
    ("what time is it", "en", "question", 0.85),
    ("what's the weather", "en", "question", 0.85),
    ("whats the weather", "en", "question", 0.85),
    ("what's the weather?", "en", "question", 1.0),
    ("why is the sky blue?", "en", "question", 1.0),
    ("hello, what is due today", "en", "question", 0.85),
    ("play some music", "en", "command", 0.75),
    ("stop that", "en", "command", 0.75),
    ("tell me a joke", "en", "command", 0.75),
    ("please start a drill", "en", "command", 0.75),
    ("this is just random text", "en", "unknown", 0.10),
    ("goodbye", "en", "unknown", 0.10),
    ("Guten Morgen", "de", "greeting", 0.95),
    ("Hallo zusammen", "de", "greeting", 0.95),
    ("wie spät ist es", "de", "question", 0.85),
    ("Was bedeutet Kaffee?", "de", "question", 1.0),
    ("wiederhole das bitte", "de", "command", 0.75),
    ("nochmal", "de", "command", 0.75),
    ("Bitte nochmal", "de", "command", 0.75),
    ("Erzähl mir einen Witz", "de", "command", 0.75),
    ("irgendein Text ohne Sinn", "de", "unknown", 0.10),
    ("Buenos días", "es", "greeting", 0.95),
    ("¿Qué hora es?", "es", "question", 1.0),
    ("How're you?", "en", "greeting", 0.95),
    ("how're you doing", "en", "greeting", 0.95),
    ("How're things?", "en", "greeting", 0.95),
    ("Schönen guten Abend", "de", "greeting", 0.95),
    ("Schönen guten Morgen!", "de", "greeting", 0.95),
    ("Bonjour tout le monde", "fr", "greeting", 0.95),
    ("quelle heure est-il", "fr", "question", 0.85),
];

#[test]
fn utterances_are_understood() {
    for (text, language, kind, confidence) in INTENTS {
        let intent = Intent::parse(text, language).unwrap();
        assert_eq!((intent.kind.as_str(), intent.confidence), (*kind, *confidence), "{text}");
    }
    for blank in ["", "  ", "?!", "…"] {
        assert_eq!(Intent::parse(blank, "en").unwrap_err().code, "nothing_said", "{blank:?}");
    }
}

/// Each row: the text, the language, the topic, and the subject of the question.
const ABOUT: &[(&str, &str, Option<Topic>, Option<&str>)] = &[
    ("what does Danke mean?", "en", Some(Topic::Define), Some("Danke")),
    ("how do you say good morning in German", "en", Some(Topic::Define), Some("good morning")),
    ("what is due today", "en", Some(Topic::Due), None),
    ("how far am I", "en", Some(Topic::Progress), None),
    ("what time is it", "en", Some(Topic::Time), None),
    ("start a drill", "en", Some(Topic::Start), None),
    ("say that again please", "en", Some(Topic::Repeat), None),
    ("slow down", "en", Some(Topic::Slower), None),
    ("Was heißt das Wort Kaffee bitte", "de", Some(Topic::Define), Some("Kaffee")),
    ("Was ist heute fällig?", "de", Some(Topic::Due), None),
    ("noch einmal bitte", "de", Some(Topic::Repeat), None),
    ("why is the sky blue?", "en", None, None),
    // A question about due words is not one about progress.
    ("How many words are due?", "en", Some(Topic::Due), None),
    ("How many words are due today?", "en", Some(Topic::Due), None),
    ("How many words do I have to review?", "en", Some(Topic::Due), None),
    ("how many reviews do I have", "en", Some(Topic::Due), None),
    ("How many words do I know?", "en", Some(Topic::Progress), None),
    ("When should I practise again?", "en", Some(Topic::Due), None),
    ("Wie viele Wörter sind fällig?", "de", Some(Topic::Due), None),
    ("Wie viele Vokabeln sind heute dran?", "de", Some(Topic::Due), None),
    ("Wie viele Vokabeln muss ich wiederholen?", "de", Some(Topic::Due), None),
    ("Wie viele Wörter kann ich?", "de", Some(Topic::Progress), None),
    ("Wann muss ich wieder üben?", "de", Some(Topic::Due), None),
    // Requests for a word in another language, however the language is named.
    ("Translate good morning into German", "en", Some(Topic::Define), Some("good morning")),
    ("translate coffee to Spanish, please", "en", Some(Topic::Define), Some("coffee")),
    ("What is bread in French?", "en", Some(Topic::Define), Some("bread")),
    ("Übersetze guten Morgen ins Englische", "de", Some(Topic::Define), Some("guten Morgen")),
    ("Übersetze Kaffee ins Spanische bitte", "de", Some(Topic::Define), Some("Kaffee")),
    ("Sag guten Morgen auf Englisch", "de", Some(Topic::Define), Some("guten Morgen")),
    ("sag mir Danke auf Deutsch", "de", Some(Topic::Define), Some("Danke")),
    ("How do you say thank you? In German", "en", Some(Topic::Define), Some("thank you")),
    // A drill may be wanted, asked about, or refused.
    ("I want to learn", "en", Some(Topic::Start), None),
    ("I'd like to learn some German", "en", Some(Topic::Start), None),
    ("Ich möchte Deutsch lernen", "de", Some(Topic::Start), None),
    ("Ich will lernen", "de", Some(Topic::Start), None),
    ("Can we practise?", "en", Some(Topic::Start), None),
    ("Können wir üben?", "de", Some(Topic::Start), None),
    ("I don't know. Start a drill.", "en", Some(Topic::Start), None),
    ("what is a drill?", "en", None, None),
    ("What's a lesson?", "en", None, None),
    ("When does the lesson end?", "en", None, None),
    ("Was ist ein Drill?", "de", None, None),
    ("don't start a drill", "en", None, None),
    ("I don't want to practise", "en", None, None),
    ("No quiz please", "en", None, None),
    ("Ich will nicht üben", "de", None, None),
    ("Ich möchte keinen Drill", "de", None, None),
    ("can we maybe practise French later", "en", None, None),
    ("I want to start a drill tomorrow", "en", None, None),
    ("Ich will morgen üben", "de", None, None),
    ("Guten Morgen, lass uns üben", "de", Some(Topic::Start), None),
    // A course is no drill.
    ("I want to learn SQL", "en", Some(Topic::Course), None),
    ("teach me python", "en", Some(Topic::Course), None),
    ("continue my course", "en", Some(Topic::Course), None),
    ("what is a course?", "en", None, None),
    ("Ich möchte Python lernen", "de", Some(Topic::Course), None),
    // A sentence that was not understood is repeated, more slowly on request.
    ("I don't understand", "en", Some(Topic::Repeat), None),
    ("What'd you say?", "en", Some(Topic::Repeat), None),
    ("Das habe ich nicht verstanden", "de", Some(Topic::Repeat), None),
    ("Ich habe dich nicht verstanden", "de", Some(Topic::Repeat), None),
    ("Ich verstehe nicht", "de", Some(Topic::Repeat), None),
    ("I don't understand what Kaffee means", "en", Some(Topic::Define), Some("Kaffee")),
    ("a bit slower", "en", Some(Topic::Slower), None),
    ("repeat that slowly", "en", Some(Topic::Slower), None),
    ("say that again, but slower", "en", Some(Topic::Slower), None),
    ("ein bisschen langsamer", "de", Some(Topic::Slower), None),
    ("Sag das nochmal langsamer", "de", Some(Topic::Slower), None),
    ("Wiederhole das langsam", "de", Some(Topic::Slower), None),
    ("You speak so fast", "en", Some(Topic::Slower), None),
    ("Du redest so schnell", "de", Some(Topic::Slower), None),
    // Keywords that mean something else here.
    ("Who invented the clock?", "en", None, None),
    ("What does the clock say?", "en", Some(Topic::Time), None),
    ("Wer hat die Uhr erfunden?", "de", None, None),
    ("Was ist ein Mensch?", "de", None, None),
    ("Bist du ein Mensch?", "de", Some(Topic::Name), None),
    ("Why is light so fast?", "en", None, None),
    ("Warum ist Licht so schnell?", "de", None, None),
    ("How far away is the moon?", "en", None, None),
    ("Wie weit ist es bis zum Mond?", "de", None, None),
    ("Wie weit bin ich?", "de", Some(Topic::Progress), None),
    ("In what year did the wall fall?", "en", None, None),
];

#[test]
fn questions_have_a_topic_and_a_subject() {
    let wrong = ABOUT.iter().filter_map(|(text, language, topic, about)| {
        let intent = Intent::parse(text, language).unwrap();
        let found = (intent.topic, intent.about.as_deref());
        (found != (*topic, *about)).then(|| format!("{text}: {found:?}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
}

/// Each row: the text, the language, and the word that ends a run, if any.
const STOPS: &[(&str, &str, Option<&str>)] = &[
    ("goodbye", "en", Some("goodbye")),
    ("Please STOP now.", "en", Some("stop")),
    ("I want to quit smoking", "en", Some("quit")),
    ("tell me about nonstop flights", "en", None),
    ("That is quite nice", "en", None),
    ("Tschüss", "de", Some("tschüss")),
    ("Was heißt Tschüss?", "de", None),
    ("was bedeutet auf Wiedersehen", "de", None),
    ("where is the exit?", "en", Some("exit")),
    ("please don't stop", "en", None),
    ("don't stop. Now stop", "en", Some("stop")),
    ("bye bye", "en", Some("bye")),
    ("Tschüss!", "de", Some("tschüss")),
    ("Hör auf!", "de", Some("hör auf")),
    ("das ist halt so, wie es in diesem Land eben ist", "de", None),
    ("Das ist halt so", "de", None),
    ("I can't stop laughing", "en", None),
    ("It didn't stop", "en", None),
    ("it won't stop", "en", None),
    ("The rain doesn't stop", "en", None),
    ("don't stop", "de", None),
    ("Nice to see you", "en", None),
    // A stop word whose meaning is asked for ends nothing.
    ("How do you say goodbye in German?", "en", None),
    ("what does stop mean", "en", None),
    ("translate exit into German", "en", None),
    ("what does danke mean. Stop.", "en", Some("stop")),
    ("How do you say danke? Stop.", "en", Some("stop")),
    ("how do you say goodbye in German? Goodbye!", "en", Some("goodbye")),
    ("Was heißt danke? Tschüss!", "de", Some("tschüss")),
    // Farewells with few words around them.
    ("end the drill", "en", Some("end the drill")),
    ("I'm done", "en", Some("i'm done")),
    ("that's it", "en", Some("that's it")),
    ("Good night!", "en", Some("good night")),
    ("finish", "en", Some("finish")),
    ("bye for now my friend", "en", Some("bye")),
    ("Bis später", "de", Some("bis später")),
    ("Mach's gut!", "de", Some("mach's gut")),
    ("Ich bin fertig", "de", Some("ich bin fertig")),
    ("Hör bitte auf", "de", Some("hör bitte auf")),
    ("Danke, das war's für heute", "de", Some("das war's")),
    ("Ich muss jetzt los, tschüss", "de", Some("tschüss")),
    ("Ich habe genug Zeit für heute", "de", None),
];

#[test]
fn stop_words_are_whole_words() {
    let law = bound(VoiceLoop::FACE.law, &Overrides::new());
    let wrong = STOPS.iter().filter_map(|(text, language, word)| {
        let found = stop_word(text, stop_words(&law), language);
        (found.as_deref() != *word).then(|| format!("{text}: {found:?}"))
    });
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
}

/// A run on the real law.
struct Run {
    flow: Typed<VoiceLoop>,
    machine: Machine,
    last: Turned,
}

impl Run {
    fn open(opening: &Value) -> Run {
        Run::under(bound(VoiceLoop::FACE.law, &Overrides::new()), opening)
    }

    fn under(machine: Machine, opening: &Value) -> Run {
        Run::with([], machine, opening)
    }

    fn with(packs: impl IntoIterator<Item = Pack>, machine: Machine, opening: &Value) -> Run {
        let flow = Typed(VoiceLoop::new(packs));
        let last = flow.open(&machine, opening, moment(&Documents::default())).unwrap();
        Run { flow, machine, last }
    }

    fn send(&mut self, event: &str, payload: Value) -> &Turned {
        let event = self.machine.event_named(event).unwrap();
        let input = Input { event, payload, facts: Facts::default(), source: Source::System };
        let documents = Documents::default();
        self.last =
            self.flow.take(&self.machine, &self.last.at, &self.last.data, input, moment(&documents)).unwrap();
        &self.last
    }

    /// Plays one spoken turn up to its first requests to the outside, and returns these.
    fn hear(&mut self, text: &str) -> Vec<Value> {
        self.send("wake", Value::Null);
        self.send("recorded", json!({"samples": 16_000}));
        let turned = self.send("transcribed", json!({"text": text}));
        turned.effects.iter().map(|effect| json!({"kind": effect.kind, "payload": effect.payload})).collect()
    }

    fn outcome(&self) -> Option<&str> {
        self.last.outcome.as_deref()
    }

    fn state(&self) -> &str {
        self.machine.state_name(self.last.at.state)
    }

    /// Ends the turn, whatever it waits for.
    fn finish(&mut self) {
        if self.state() == "ANSWER" {
            self.send("answered", json!({"text": "That is nice"}));
        }
        self.send("spoken", Value::Null);
    }

    /// The key of the reason why the run is over.
    fn reason(&self) -> String {
        let key = self.more()["reason"]["key"].as_str().unwrap_or_default().to_owned();
        key.trim_start_matches("voice-reason-").to_owned()
    }

    fn more(&self) -> Value {
        self.flow.more(&self.machine, &self.last.at, &self.last.data)
    }
}

fn bound(source: &str, set: &Overrides) -> Machine {
    Machine::bind(&Law::read(source).unwrap(), Some(&vocabulary()), set).unwrap()
}

fn moment(documents: &Documents) -> Moment<'_> {
    Moment { now_us: 0, seed: 1, learner: "me", records: &[], documents, dues: &[], edition: None }
}

#[test]
fn the_loop_stops_for_a_reason() {
    /// The learner's words and the outside answer of each turn, the outcome, the number of turns, and the reason.
    type Talk<'r> = (&'r [(&'r str, &'r str)], Option<&'r str>, u64, &'r str);
    let runs: &[Talk] = &[
        (&[("goodbye", "anything")], Some("user"), 1, "stop-word"),
        (&[("please stop now", "ok")], Some("user"), 1, "stop-word"),
        (&[("tell me about nonstop flights", "That is quite nice")], None, 1, ""),
        (&[("hello", "Thanks for chatting! Goodbye!")], Some("model"), 1, "model"),
        (&[("hello there", "a"), ("hello again", "b"), ("hello once more", "c")], Some("cap"), 3, "cap"),
        (&[("hello there", "a"), ("goodbye", "b")], Some("user"), 2, "stop-word"),
        (&[("", ""), ("", ""), ("", "")], Some("cap"), 3, "cap"),
    ];
    for (turns, outcome, count, reason) in runs {
        let mut run = Run::open(&json!({"voice": true, "answers_outside": true}));
        for (said, answered) in *turns {
            run.hear(said);
            if run.state() == "ANSWER" {
                run.send("answered", json!({"text": answered}));
            }
            run.send("spoken", Value::Null);
        }
        assert_eq!((run.outcome(), run.more()["turn"].as_u64()), (*outcome, Some(*count)), "{turns:?}");
        assert_eq!(run.reason(), *reason, "{turns:?}");
    }
}

/// A law that gives another reason for the same end shows that reason.
#[test]
fn the_law_says_why_a_run_is_over() {
    let after = |law: &str, events: &[&str]| {
        let mut run = Run::under(bound(law, &Overrides::new()), &json!({"voice": true}));
        for event in events {
            run.send(event, json!({"text": "goodbye", "reason": "gone"}));
        }
        run.reason()
    };
    let law = VoiceLoop::FACE.law;
    let goodbye = ["said", "spoken"];
    for (events, reason) in [
        (&["leave"][..], "left"),
        (&["no_wake"], "no-wake"),
        (&["wake", "stalled"], "timeout"),
        (&["wake", "failed", "stalled"], "error"),
        (&["wake", "failed", "leave"], "left"),
        (&goodbye, "stop-word"),
        (&["said", "failed", "spoken"], "error"),
    ] {
        assert_eq!(after(law, events), reason, "{events:?}");
    }
    let other = law.replace("on_true: STOPPED_BY_USER", "on_true: LEFT");
    assert_eq!(after(&other, &goodbye), "left");
}

/// Changing a constant of the law changes the behaviour; nothing else has to change.
#[test]
fn every_constant_of_the_law_counts() {
    let law = VoiceLoop::FACE.law;
    let turns = |most: i64| {
        let set = Overrides::from([("max_interactions".to_owned(), most)]);
        let mut run = Run::under(bound(law, &set), &json!({}));
        let mut count = 0;
        while run.outcome().is_none() {
            run.send("said", json!({"text": "hello"}));
            count += 1;
        }
        assert_eq!((run.outcome(), run.more()["of"].as_i64()), (Some("cap"), Some(most)));
        count
    };
    assert_eq!([1, 3, 5].map(turns), [1, 3, 5], "max_interactions");
    let usual = "stop_words: stop, goodbye, quit, exit";
    let other = law.replace(usual, "stop_words: enough, basta");
    let stops = |source: &str, text: &str| {
        let mut run = Run::under(bound(source, &Overrides::new()), &json!({}));
        run.send("said", json!({"text": text}));
        run.outcome() == Some("user")
    };
    let stopped = [law, &other].map(|law| ["exit", "basta"].map(|text| stops(law, text)));
    assert_eq!(stopped, [[true, false], [false, true]], "stop_words");
    let longest: [(&str, &str, &[&str]); 5] = [
        ("longest_wait", "1d", &["LISTEN"]),
        ("longest_recording", "60s", &["RECORD"]),
        ("longest_transcription", "60s", &["TRANSCRIBE"]),
        ("longest_thought", "60s", &["UNDERSTAND", "ANSWER", "ANSWER_KNOWING"]),
        ("longest_speech", "5m", &["NOT_HEARD", "SPEAK", "SORRY"]),
    ];
    for (name, usual, states) in longest {
        let waits = |source: &str, state: &str| {
            let machine = bound(source, &Overrides::new());
            machine.timers(machine.state_named(state).unwrap())[0].millis
        };
        let shorter = law.replace(&format!("{name}: {usual}"), &format!("{name}: 3s"));
        for state in states {
            assert!(waits(law, state) > 3_000 && waits(&shorter, state) == 3_000, "{name}: {state}");
        }
    }
    let tested: Vec<&str> =
        ["max_interactions", "stop_words"].into_iter().chain(longest.map(|(name, ..)| name)).collect();
    let machine = bound(law, &Overrides::new());
    assert!(machine.constants().iter().map(|(name, _)| name.as_str()).eq(tested), "each is tested here");
}

#[test]
fn the_first_error_ends_the_loop_and_is_said_once() {
    let mut run = Run::open(&json!({"voice": true}));
    run.send("wake", Value::Null);
    let said = run.send("failed", json!({"reason": "the microphone was unplugged"})).said.len();
    assert_eq!(said, 1);
    run.send("spoken", Value::Null);
    let lexicon = Lexicon::new(words::FILES.iter().copied());
    let reason = serde_json::from_value(run.more()["reason"].clone()).unwrap();
    assert_eq!(
        (run.outcome(), lexicon.say("en", &reason).as_str()),
        (Some("error"), "Error: the microphone was unplugged")
    );
}

#[test]
fn a_model_gets_one_intent_and_its_answer_is_checked() {
    let mut run = Run::open(&json!({"voice": true, "model": true}));
    let asked = run.hear("why is the sky blue?");
    assert_eq!(asked[0]["kind"], MODEL_KIND);
    let ask: ModelAsk = serde_json::from_value(asked[0]["payload"].clone()).unwrap();
    let reply = json!({"model": {"ask": ask.number, "reply": {"answer": "Because of scattering. Goodbye!"}}});
    run.send("answered", reply);
    run.send("spoken", Value::Null);
    assert_eq!(run.outcome(), Some("model"));
}

/// A pack that teaches German to speakers of a language.
fn pack(id: &str, explained_in: &str, items: &[(&str, &str, &[&str])]) -> Pack {
    let item = |(at, (text, meaning, also)): (usize, &(&str, &str, &[&str]))| {
        let cue = |at: usize| json!({"scene": format!("Scene {at}."), "answer": text});
        json!({
            "id": format!("item-{at}"), "text": text, "also": also, "meaning": meaning, "explain": "…",
            "examples": [{"say": text, "means": meaning}], "cues": [cue(1), cue(2), cue(3)],
        })
    };
    let items: Vec<Value> = items.iter().enumerate().map(item).collect();
    let pack = json!({
        "pack": id, "title": format!("The pack {id}"), "language": "de", "explained_in": explained_in, "about": "…",
        "names": ["Anna", "Paul"], "items": items,
    });
    Pack::read(pack.to_string().as_bytes(), &format!("packs/{id}.yaml")).unwrap()
}

/// The coach's answer to one utterance, with these packs.
fn answered(packs: &[Pack], language: &str, text: &str) -> String {
    let law = bound(VoiceLoop::FACE.law, &Overrides::new());
    let mut run = Run::with(packs.to_vec(), law, &json!({"voice": true, "language": language}));
    run.hear(text);
    if run.state() == "ANSWER" {
        let subject = |pack: &Pack| {
            json!({
                "id": pack.id, "title": pack.title, "begin": {"flow": "drill", "given": {}}, "known": 0, "of": 9,
                "due_us": [],
            })
        };
        let subjects: Vec<Value> = packs.iter().map(subject).collect();
        run.send(
            "known",
            json!({"knowledge": {
                "now_us": 0, "time": "9:00", "weekday": 1, "day": 1, "month": 1, "subjects": subjects,
            }}),
        );
    }
    let answer = serde_json::from_value(run.more()["answer"].clone()).unwrap();
    let lexicon = Lexicon::new(words::FILES.iter().copied());
    lexicon.say(lexicon.choose([language]), &answer)
}

#[test]
fn words_are_found_in_every_form_and_the_learners_language_comes_first() {
    let english = pack(
        "first",
        "en",
        &[("Guten Tag / Guten Morgen", "hello", &[]), ("Danke", "thank you", &["Vielen Dank"])],
    );
    let slovenian = pack("second", "sl", &[("Danke", "hvala", &[])]);
    let german = pack("third", "de-AT", &[("Servus", "guten Tag", &[])]);
    let packs = [slovenian, german, english];
    for (language, said, answer) in [
        ("en", "what does Guten Morgen mean", "“Guten Morgen” means: hello."),
        ("en", "what does Guten Tag mean", "“Guten Tag” means: hello."),
        ("en", "what does Vielen Dank mean", "“Vielen Dank” means: thank you."),
        ("en", "how do you say thank you in German", "“thank you” is “Danke”."),
        ("en-GB", "what does danke mean", "“Danke” means: thank you."),
        ("sl", "what does danke mean", "“Danke” means: hvala."),
        ("de-DE", "Was heißt Servus?", "„Servus“ bedeutet: guten Tag."),
        ("en", "what does Fahrrad mean", "I don’t know “Fahrrad”. I only know the words of your packs."),
    ] {
        assert_eq!(answered(&packs, language, said), answer, "{language}: {said}");
    }
}

/// A filler whose meaning is a note to authors is no translation, and neither is the word itself.
#[test]
fn no_word_is_explained_by_itself() {
    let pack = |id: &str| {
        let file = format!("{}/../../packs/{id}.yaml", env!("CARGO_MANIFEST_DIR"));
        Pack::read_shipped(&std::fs::read(&file).unwrap(), &file).unwrap()
    };
    let packs = ["german-first-words", "english-first-words"].map(pack);
    for (language, said, answer) in [
        ("en", "how do you say dog in German", "“dog” is “Hund”."),
        ("de", "Wie sagt man Hund auf Englisch?", "„Hund“ heißt „a dog“."),
        ("de", "Was bedeutet Hund?", "„Hund“ heißt „a dog“."),
        ("en", "how do you say moon in German", "I don’t know “moon”. I only know the words of your packs."),
        ("en", "what does Schmidt mean", "I don’t know “Schmidt”. I only know the words of your packs."),
        ("en", "what does danke mean", "“Danke” means: thank you, thanks."),
    ] {
        assert_eq!(answered(&packs, language, said), answer, "{language}: {said}");
    }
}

#[test]
fn three_packs_are_named_and_the_learners_language_comes_first() {
    let of = |id: &str, language: &str| pack(id, language, &[("Danke", "…", &[])]);
    let packs = [
        of("one", "en"),
        of("two", "sl"),
        of("three", "en"),
        of("four", "de"),
        of("five", "en"),
        of("six", "de"),
    ];
    for (language, named) in [
        ("en", "The pack one; The pack three; The pack five. Say"),
        ("de-DE", "The pack four; The pack six; The pack one. Sag"),
    ] {
        let answer = answered(&packs, language, "start a drill");
        assert!(answer.contains(named), "{language}: {answer}");
    }
}

#[test]
fn an_outside_intent_gets_a_topic() {
    let mut run = Run::open(&json!({"voice": true, "intents_outside": true}));
    run.hear("what time is it");
    let understood = json!({"kind": "command", "confidence": 0.7, "text": "what time is it"});
    let turned = run.send("understood", understood);
    assert_eq!(turned.effects[0].kind, KNOWLEDGE_KIND, "the time is looked up");
    let intent = run.more()["intent"].clone();
    assert_eq!((&intent["kind"], &intent["topic"]), (&json!("command"), &json!("time")), "{intent}");
}

#[test]
fn a_model_is_asked_for_a_word_that_no_pack_teaches() {
    let packs = [pack("first", "en", &[("Danke", "thank you", &[])])];
    let law = || bound(VoiceLoop::FACE.law, &Overrides::new());
    let asked = |text: &str| {
        let mut run = Run::with(packs.clone(), law(), &json!({"voice": true, "model": true}));
        let asked = run.hear(text);
        (run, asked.iter().any(|effect| effect["kind"] == MODEL_KIND))
    };
    assert!(!asked("How do you say thank you in German?").1, "the pack knows");
    let (mut run, is_asked) = asked("How do you say good morning in French?");
    assert!(is_asked);
    run.send("answered", json!({"model": {"ask": 1, "failed": "no answer came"}}));
    assert_eq!(run.more()["answer"]["key"], "voice-unknown-word");
}

proptest! {
    /// Two runs that differ only in their earlier turns ask the outside the same things and store the same data.
    #[test]
    fn turns_are_independent(earlier in prop::collection::vec("\\PC{0,40}", 2), others in prop::collection::vec("[a-z ]{0,40}", 2)) {
        let law = bound(VoiceLoop::FACE.law, &Overrides::new());
        let is_stop = |text: &String| stop_word(text, stop_words(&law), "en").is_some();
        prop_assume!(!earlier.iter().chain(&others).any(is_stop));
        let later = |said: &[String]| {
            let mut run = Run::open(&json!({"voice": true, "model": true}));
            for text in said {
                run.hear(text);
                if run.last.effects.iter().any(|effect| effect.kind == KNOWLEDGE_KIND) {
                    run.send("known", json!({"knowledge": {
                        "now_us": 0, "time": "9:00", "weekday": 1, "day": 1, "month": 1, "subjects": [],
                    }}));
                }
                run.finish();
            }
            let asked = run.hear("why is the sea salty");
            (asked, run.last.data.clone())
        };
        prop_assert_eq!(later(&earlier), later(&others));
    }
}
