//! `etude drill` as a learner meets it: sessions through pipes, and one in a real terminal.

mod pipe;

use crate::common::learner::{Learner, assert_in_order};
use crate::common::pty::Terminal;
use pipe::PACK;

/// One session through a pipe: what is given, and what must appear, in this order.
fn check(args: &[&str], script: &str, expected: &[&str]) {
    let shown = Learner::new().drill(args, script.as_bytes());
    assert_eq!(shown.code, Some(0), "{shown:?}");
    assert_in_order(&shown.out, expected);
    assert!(!shown.out.contains('\u{1b}'), "plain lines have no escape sequences: {}", shown.out);
}

#[test]
fn a_word_is_learned() {
    check(
        &["--words", "1"],
        "hallo\nHallo, Mia!\nhallo\n",
        &[
            "Word: Hallo\nMeaning: hello, hi\nExplanation: ",
            "Scene: ",
            "Say: Hallo\nMeaning: hello, hi\nProgress: 0 of 3, word 1 of 1, 0 met so far\nYou: hallo\nCoach: ",
            "Progress: 1 of 3, word 1 of 1, 0 met so far\nYou: Hallo, Mia!",
            "Progress: 2 of 3, word 1 of 1, 0 met so far, from memory\nYou: hallo",
            "Learned: Hallo, comes back in 2 days",
            "Note: `etude drill german-first-words` begins the next session.",
        ],
    );
}

#[test]
fn a_word_to_be_recalled_is_not_shown() {
    let shown = Learner::new().drill(&["--words", "1"], b"hallo\nhallo\n");
    let asked = shown.out.split("You: hallo\n").last().expect("there is an end");
    assert_in_order(asked, &["Scene: ", "from memory", "Note: Saved."]);
    assert!(!asked.contains("Hallo"), "{asked}");
}

#[test]
fn a_near_miss_shows_the_difference() {
    check(
        &[],
        "halo\n",
        &["You: halo", "Coach: Understood!", "Difference: “Hallo” instead of “halo”", "1 of 3"],
    );
    // The fifth word is the first one of two words.
    let learned = ["hallo", "tschüss", "danke", "bitte"].map(|word| format!("{word}\n").repeat(3)).concat();
    check(
        &[],
        &format!("{learned}guten\n"),
        &["You: guten", "Coach: Nearly.", "Difference: Guten, missing “Morgen”"],
    );
}

#[test]
fn a_word_that_stalls_is_said_slowly_then_parked() {
    check(
        &["--words", "1"],
        "xx\nyy\nhallo\n",
        &["You: yy", "Slowly: Hal·lo", "Progress: 0 of 3", "You: hallo", "Progress: 1 of 3"],
    );
    check(
        &["--words", "1"],
        "a1\na2\na3\na4\na5\n",
        &[
            "Slowly: Hal·lo",
            "You: a5",
            "Put aside for now: Hallo, comes back in ",
            "begins the next session.",
        ],
    );
}

#[test]
fn commands_are_no_answers() {
    check(
        &[],
        ":help\n",
        &["Commands: again, show", "Commands: quit, stop", "Commands: :leave, end", "0 of 3"],
    );
    check(
        &[],
        "hallo\nhallo\n:word\n",
        &["from memory", "You: :word\nScene: ", "Say: Hallo\nMeaning: hello, hi\nProgress: 2"],
    );
    check(&[], ":jump\n", &["Note: `:jump` is no command here", "Progress: 0 of 3"]);
    // The same words as in a course, with and without a colon.
    check(
        &[],
        "help\nagain\nskip\n? what is that\nquit\n",
        &[
            "You: help\nCommands: again,",
            "You: again\nScene: ",
            "You: skip\nNote: That was not taken as an answer.",
            "You: ? what is that\nNote: That was not taken as an answer.",
            "Progress: 0 of 3",
            "You: quit\nNote: Saved.",
        ],
    );
    // What is practised is an answer.
    let learner = Learner::new();
    learner.add_pack("tiny", &pipe::TINY_PACK.replace("Hallo", "Hilfe"));
    let shown = learner.run(&["drill", "tiny"], b"hilfe\n");
    assert_in_order(&shown.out, &["You: hilfe\nCoach: ", "Progress: 1 of 3"]);
    check(
        &[],
        ":q\nhallo\n",
        &["You: :q\nNote: Saved. `etude drill german-first-words` goes on where you stopped.\n"],
    );
    check(
        &[],
        "hallo\nhallo\nhallo\n:leave\n",
        &[
            "You: :leave\nNote: You ended the session.",
            "Learned: Hallo",
            "Note: 4 words were not reached",
            "begins the next",
        ],
    );
}

#[test]
fn a_session_goes_on_where_it_stopped() {
    let learner = Learner::new();
    let first = learner.drill(&["--words", "2"], b"hallo\nhallo\nhallo\ntsch\xc3\xbcss\n");
    assert_in_order(&first.out, &["word 2 of 2", "Progress: 1 of 3", "Note: Saved."]);
    let second = learner.drill(&["--words", "7"], b"");
    let shown = [
        "Note: Going on where you stopped.",
        "--new",
        "Scene: ",
        "Say: Tschüss",
        "Progress: 1 of 3, word 2 of 2, 1 met so far",
    ];
    assert_in_order(&second.out, &shown);
    let third = learner.drill(&["--new", "--words", "7"], b"");
    assert_in_order(
        &third.out,
        &["Note: The session that was open is ended.", "Word: Tschüss", "0 of 3, word 1 of 7"],
    );
    let other = learner.drill(&["--learner", "Ana Lía"], b"");
    assert_in_order(
        &other.out,
        &["Word: Hallo", "`etude drill german-first-words --learner 'Ana Lía'` goes on"],
    );
}

#[test]
fn constants_of_the_law_can_be_set() {
    check(&["--set", "required_usages=5"], "hallo\nhallo\nhallo\n", &["0 of 5", "Progress: 3 of 5"]);
}

#[test]
fn a_killed_session_loses_nothing_that_was_answered() {
    let learner = Learner::new();
    let mut running = learner.start_drill(&[]);
    running.say("hallo");
    running.wait_for("Progress: 1 of 3");
    running.kill();
    let again = learner.drill(&[], b"hallo\n");
    assert_in_order(
        &again.out,
        &["Note: Going on where you stopped.", "Progress: 1 of 3", "Progress: 2 of 3"],
    );
}

#[test]
fn a_session_that_went_on_elsewhere_is_shown_as_it_stands() {
    let learner = Learner::new();
    let mut first = learner.start_drill(&["--words", "1"]);
    first.wait_for("Progress: 0 of 3");
    let second = learner.drill(&[], b"hallo\n");
    assert_in_order(&second.out, &["Going on", "Progress: 1 of 3"]);
    first.say("hallo");
    first.wait_for("Note: This session went on somewhere else");
    first.wait_for("Progress: 1 of 3");
    let third = learner.drill(&[], b":leave\n");
    assert_in_order(&third.out, &["You ended the session"]);
    first.say("hallo");
    first.wait_for("Note: You ended the session");
    assert_eq!(first.end(), Some(0));
}

#[test]
fn nobody_is_hurried_by_a_pipe() {
    let learner = Learner::new();
    let opened = learner.run(&["--json", "new", "drill", "--with", r#"{"pack":"german-first-words"}"#], b"");
    let view: serde_json::Value = serde_json::from_str(&opened.out).expect("JSON");
    learner.run(&["send", view["id"].as_str().expect("a flow has an id"), "start"], b"");
    assert_eq!(learner.armed_timers(), 1, "a server on the same database would fire it");
    assert_in_order(&learner.drill(&[], b"").out, &["Going on", "Note: Saved."]);
    assert_eq!(learner.armed_timers(), 0);
    learner.drill(&[], b"hallo\n");
    assert_eq!(learner.armed_timers(), 0);
}

#[test]
fn the_terminal_speaks_german() {
    let german = [
        "Wort: Hallo\nBedeutung: hello, hi",
        "Fortschritt: 0 von 3, Wort 1 von 5, bisher 0",
        "Hinweis: Gespeichert.",
    ];
    check(&["--lang", "de"], "", &german);
    let learner = Learner::new();
    let locale = |name: &'static str, value: &'static str| learner.drill_in(&[(name, value)], &[], b"").out;
    assert_in_order(&locale("LANG", "de_DE.UTF-8"), &german[..1]);
    assert_in_order(&locale("LC_ALL", "de_CH"), &["Es geht dort weiter"]);
    assert_in_order(&locale("LANG", "fr_FR.UTF-8"), &["Going on"]);
    // The coach follows the pack, the terminal its own setting.
    let english_pack = learner.run(&["drill", "english-first-words", "--lang", "en"], b"xx\n").out;
    assert_in_order(&english_pack, &["Word: ", "Coach: „", "Note: Saved."]);
}

#[test]
fn whatever_comes_in_is_survived() {
    let check = |line: &[u8], expected: &[&str]| {
        let shown = Learner::new().drill(&[], &[line, b"\nhallo\n"].concat());
        assert_eq!(shown.code, Some(0), "{shown:?}");
        assert_in_order(
            &shown.out,
            &[expected, &["You: hallo", "Progress: 1 of 3", "Note: Saved."]].concat(),
        );
        assert!(!shown.out.contains(['\u{1b}', '\u{7}']), "{}", shown.out);
    };
    let long = "lang ".repeat(20_000);
    check(
        long.as_bytes(),
        &["Note: That was very long: only its first 2000 characters were heard.", "Coach: I didn't hear"],
    );
    check("я".repeat(50_000).as_bytes(), &["Note: That was very long"]);
    check(b"\xff\xfe\x80", &["Note: Some of that was not readable text", "Coach: I didn't catch any words"]);
    check(b"\x1b]0;owned\x07\x1b[2J", &["You: ]0;owned  [2J\n", "Note: Some of that was not readable text"]);
    check(
        "привет 你好 שלום مرحبا 👋🏽".as_bytes(),
        &["You: привет 你好 שלום مرحبا 👋🏽\n", "Coach: I didn't hear"],
    );
    check(b"\r", &["Coach: I didn't catch any words"]);
}

#[test]
fn a_reader_who_goes_away_is_no_disaster() {
    let learner = Learner::new();
    let mut running = learner.start_drill(&[]);
    running.wait_for("Progress: 0 of 3");
    running.close_output();
    running.say("hallo");
    running.say("hallo");
    assert_eq!(running.end(), Some(0));
    let again = learner.drill(&[], b"").out;
    assert_in_order(&again, &["Going on", "Progress: "]);
    assert!(!again.contains("0 of 3"), "what was answered is kept: {again}");
}

#[test]
fn the_packs_are_listed() {
    let learner = Learner::new();
    learner.drill(&["--words", "1"], b"hallo\nhallo\nhallo\n");
    learner.run(&["drill", "spanish-first-words"], b"");
    let shown = learner.run(&["drill"], b"");
    let expected = [
        "german-first-words  German: first words\n      de, explained in en · 72 items · 1 learned · 0 due\n",
        "spanish-first-words",
        "a session is open",
        "Type `etude drill german-first-words` to begin.",
    ];
    assert_in_order(&shown.out, &expected);
    let rows: serde_json::Value =
        serde_json::from_str(&learner.run(&["--json", "drill"], b"").out).expect("JSON");
    assert_eq!(rows[0]["learned"], 1);
    assert_eq!(rows[1]["is_open"], true);
}

#[test]
fn what_cannot_be_done_says_what_can() {
    let check = |args: &[&str], expected: &[&str]| {
        let shown = Learner::new().run(args, b"");
        assert_eq!(shown.code, Some(2), "{shown:?}");
        assert_in_order(&shown.err, expected);
    };
    check(&["drill", "german-first-word"], &["there is no pack", "did you mean `german-first-words`?"]);
    check(&["drill", PACK, "--words", "51"], &["51 is not in 1..=50"]);
    check(&["drill", PACK, "--words", "0"], &["0 is not in 1..=50"]);
    check(&["drill", PACK, "--learner", ""], &["--learner"]);
    check(
        &["drill", PACK, "--set", "required_usage=5"],
        &["no constant `required_usage`", "required_usages"],
    );
    check(&["drill", PACK, "--learner", "a/b"], &["the learner is empty, too long or has characters"]);
    check(&["drill", PACK, "--json"], &["a session is a conversation", "etude send"]);
    check(&["drill", PACK, "--lang", "xx"], &["invalid value 'xx'", "en, de"]);
}

#[test]
fn a_broken_pack_is_named_in_plain_words() {
    let learner = Learner::new();
    learner.add_pack("broken", "pack: broken\n");
    let cure = format!("`etude pack check {}", learner.data().join("packs/broken.yaml").display());
    let listed = learner.run(&["drill"], b"");
    assert_eq!((listed.code, listed.err.lines().count()), (Some(0), 1), "{listed:?}");
    assert_in_order(&listed.err, &["broken.yaml is left out; ", &cure, "` shows why."]);
    let practised = learner.run(&["drill", "broken"], b"");
    assert_eq!(practised.code, Some(2));
    assert_in_order(&practised.err, &["the pack `broken` is there, but it has problems; ", &cure]);
    let other = learner.drill(&[], b"");
    assert_eq!((other.code, other.err.as_str()), (Some(0), ""), "another pack is not disturbed");
}

/// A pack that is exported and imported again teaches the same language.
#[test]
fn an_exported_pack_comes_back_the_right_way_round() {
    let learner = Learner::new();
    learner.drill(&["--words", "1"], b"hallo\nhallo\nhallo\n");
    for (ending, exported, imported) in [
        ("apkg", "72 notes, 1 with a history\n", "72 notes read, 1 with a history"),
        ("csv", "72 notes; CSV holds no history; use .apkg\n", "72 notes read, 0 with a history"),
        ("tsv", "72 notes; TSV holds no history; use .apkg\n", "72 notes read, 0 with a history"),
    ] {
        let file = learner.data().join(format!("from-{ending}.{ending}")).display().to_string();
        let shown = learner.run(&["pack", "export", PACK, &file], b"");
        assert!(shown.out.ends_with(exported), "{shown:?}");
        let shown = learner.run(&["pack", "import", &file, "--language", "de"], b"");
        let begin = format!("Begin with `etude drill from-{ending}`");
        let said = [imported, "the back of the cards is what is learned", "scenes and explanations", &begin];
        assert_in_order(&shown.out, &said);
        let pack = format!("packs/from-{ending}.yaml");
        let pack = std::fs::read_to_string(learner.data().join(pack)).expect("the pack was written");
        assert_in_order(&pack, &["text: \"Hallo\"\n    meaning: \"hello, hi\""]);
    }
}

#[test]
fn cards_of_others_have_their_text_in_front() {
    let learner = Learner::new();
    let file = learner.data().join("mine.csv").display().to_string();
    std::fs::write(&file, "das Brot,bread\ndas Brot,loaf\n").expect("a file can be written");
    let import = ["pack", "import", &file, "--language", "de", "--learner", "Ana Lía"];
    let shown = learner.run(&import, b"");
    let said = [
        "2 notes read, 0 with a history, 1 left out",
        "the front of the cards",
        "note 2 of 2, “das Brot”: another note has the same text",
        "Begin with `etude drill mine --learner 'Ana Lía'`",
    ];
    assert_in_order(&shown.out, &said);
    let pack = std::fs::read_to_string(learner.data().join("packs/mine.yaml")).expect("the pack was written");
    assert!(pack.contains("text: \"das Brot\"") && !pack.contains("Default"), "{pack}");
    let shown = learner.run(&[&import[..], &["--id", "my/../x"]].concat(), b"");
    assert_eq!(shown.code, Some(2));
    assert_in_order(&shown.err, &["--id: "]);
}

#[test]
fn a_learner_with_nothing_to_do_hears_when_to_come_back() {
    let learner = Learner::new();
    learner.add_pack("tiny", pipe::TINY_PACK);
    learner.run(&["drill", "tiny"], b"hallo\nhallo\nhallo\n");
    let shown = learner.run(&["drill", "tiny"], b"");
    let expected = [
        "Coach: There is nothing to learn",
        "Note: The next review is in 2 days.",
        "`etude drill tiny` begins",
    ];
    assert_in_order(&shown.out, &expected);
}

#[test]
fn a_person_at_a_terminal_is_coached() {
    let learner = Learner::new();
    let Some(mut terminal) = Terminal::open(&learner, "drill german-first-words --words 2") else {
        return;
    };
    terminal.wait_for(&[
        "── word 1 of 2 ──",
        "→ Hallo — hello, hi",
        "○○○ 0 of 3 · word 1 of 2 · 0 met so far",
        "›",
    ]);
    // Arrow keys and letters of several bytes can be edited.
    terminal.keys(&["-l", "allö"]);
    terminal.keys(&["Left", "Left", "Left", "Left", "h", "End", "BSpace", "o", "Enter"]);
    terminal.wait_for(&["› hallo", "✓ ", "●○○ 1 of 3"]);
    terminal.keys(&["-l", "halo"]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(&["≈ Understood!", "-halo +Hallo", "●●○ 2 of 3", "from memory"]);
    assert!(terminal.colours().contains("\u{1b}[32m"), "praise is green");
    terminal.keys(&["C-c"]);
    terminal
        .wait_for(&["Saved. `etude drill german-first-words` goes on where you stopped.", "ended with 0"]);
}

/// Nobody is hurried: who is called away comes back to the same question, for no timer runs.
#[test]
fn the_coach_waits_at_a_terminal() {
    let learner = Learner::new();
    let Some(mut terminal) = Terminal::open(&learner, "drill spanish --words 1") else { return };
    terminal.wait_for(&["Spanish: first words", "○○○ 0 of 3", "›"]);
    assert_eq!(learner.armed_timers(), 0);
    terminal.keys(&["-l", "quit"]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(&["› quit", "Saved. `etude drill spanish-first-words`", "ended with 0"]);
}

#[test]
fn a_silent_person_hears_the_coach_again() {
    let learner = Learner::new();
    let Some(mut terminal) = Terminal::open(&learner, "drill german-first-words --patience 5") else {
        return;
    };
    terminal.wait_for(&["○○○ 0 of 3", "›"]);
    terminal.resize(34);
    terminal.keys(&["-l", "half ty"]);
    // The coach speaks above the prompt in lines that fit, and what was typed stays.
    terminal.wait_for(&["○○○ 0 of 3", "› half ty"]);
    terminal.wait_for(&["○○○ 0 of 3", "  │ Mia has climbed onto the wall\n", "○○○ 0 of 3", "› half ty"]);
    terminal.keys(&["C-u", "C-d"]);
    terminal.wait_for(&["Saved. `etude drill", "ended with 0"]);
}
