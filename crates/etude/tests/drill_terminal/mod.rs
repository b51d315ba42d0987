//! Tests of `etude drill` as a learner meets it: sessions through pipes, and some in a real terminal.

mod pipe;

use crate::common::learner::{Learner, assert_in_order};
use crate::common::pty::Terminal;
use pipe::PACK;

/// Runs one session through a pipe and checks that the expected texts appear in this order.
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
            "Say: Hallo\nMeaning: hello, hi\nProgress: used 0 of 3, word 1 of 1, met so far 0\nYou: hallo\nCoach: ",
            "Progress: used 1 of 3, word 1 of 1, met so far 0\nYou: Hallo, Mia!",
            "Note: From memory: “hello, hi”\nProgress: used 2 of 3, word 1 of 1, met so far 0\nYou: hallo",
            "Word: Hallo, Result: learned, Comes back: in ",
            "Note: `etude drill german-first-words` begins the next session.",
        ],
    );
}

#[test]
fn a_word_to_be_recalled_is_not_shown() {
    let shown = Learner::new().drill(&["--words", "1"], b"hallo\nhallo\n");
    let asked = shown.out.split("You: hallo\n").last().expect("there is an end");
    assert_in_order(asked, &["Scene: ", "From memory", "Note: Saved."]);
    assert!(!asked.contains("Hallo"), "{asked}");
}

#[test]
fn a_near_miss_shows_the_difference() {
    check(
        &[],
        "halo\n",
        &["You: halo", "Coach: Understood!", "Difference: “Hallo” instead of “halo”", "1 of 3"],
    );
    // The second word of this pack is one of two words.
    let shown = Learner::new().run(&["drill", "spanish-first-words"], "hola\nhola\nbuenos\n".as_bytes());
    assert_in_order(&shown.out, &["You: buenos", "Coach: Nearly!", "Difference: Buenos, missing “días”"]);
}

#[test]
fn a_word_that_stalls_is_said_slowly_then_parked() {
    check(
        &["--words", "1"],
        "xx\nyy\nhallo\n",
        &["You: yy", "Slowly: Hal·lo", "You: hallo", "Progress: used 1 of 3"],
    );
    check(
        &["--words", "1"],
        "a1\na2\na3\na4\na5\n",
        &[
            "Slowly: Hal·lo",
            "You: a5",
            "Word: Hallo, Result: put aside for now, Comes back: ",
            "begins the next session.",
        ],
    );
}

#[test]
fn commands_are_no_answers() {
    check(
        &[],
        ":help\n",
        &[
            "You: :help",
            "Commands: /leave, End",
            "Commands: again, Show",
            "Commands: quit, Stop",
            "Note: Saved.",
        ],
    );
    check(
        &["--words", "1"],
        "hallo\nhallo\n:word\n",
        &["From memory", "You: :word\nScene: ", "From memory: “hello, hi”\nProgress: used 2 of 3"],
    );
    check(&[], ":jump\n", &["Note: `jump` is not a command here"]);
    check(&[], "/help\n/leave\n", &["Commands: ", "You: /leave", "begins the next session."]);
    // Commands are the same words as in a course, with and without a colon.
    check(
        &[],
        "help\nagain\n? what is that\nskip\nI don't know\nstop\n",
        &[
            "You: help\nCommands: …,",
            "You: again\nScene: ",
            "You: ? what is that\nNote: You can't ask your own questions here.",
            "You: skip\nNote: We’ll leave “Hallo” for another time.\nWord: Tschüss",
            "You: I don't know\nSay: Tschüss",
            "You: stop\nNote: Saved.",
        ],
    );
    // A command word that is being practised counts as an answer.
    let learner = Learner::new();
    learner.add_pack("tiny", &pipe::TINY_PACK.replace("Hallo", "Hilfe"));
    let shown = learner.run(&["drill", "tiny"], b"hilfe\n");
    assert_in_order(&shown.out, &["You: hilfe\nCoach: ", "Progress: used 1 of 3"]);
    let shown = learner.run(&["drill", "tiny"], b"hilfe\nhilfe\n");
    assert_in_order(&shown.out, &["From memory", "You: hilfe\nCoach: ", "begins the next session."]);
    check(
        &[],
        ":q\nhallo\n",
        &["You: :q\nNote: Saved. `etude drill german-first-words` picks up where you left off.\n"],
    );
    check(
        &[],
        "hallo\nhallo\ntschüss\ntschüss\nhallo\n:leave\n",
        &[
            "You: :leave\n",
            "Word: Hallo, Result: learned",
            "Note: You didn't get to 4 words",
            "begins the next",
        ],
    );
}

#[test]
fn a_session_goes_on_where_it_stopped() {
    let learner = Learner::new();
    let first = learner.drill(&["--words", "2"], b"hallo\nhallo\ntsch\xc3\xbcss\n");
    assert_in_order(&first.out, &["word 2 of 2", "Progress: used 1 of 3", "Note: Saved."]);
    let second = learner.drill(&["--words", "7"], b"");
    let shown = [
        "Note: Picking up where you left off.",
        "--new",
        "Scene: ",
        "Note: “bye” begins like this: Ts…",
        "Progress: used 1 of 3, word 2 of 2, met so far 0",
    ];
    assert_in_order(&second.out, &shown);
    let third = learner.drill(&["--new", "--words", "7"], b"");
    assert_in_order(
        &third.out,
        &["Note: The open session has been ended.", "Word: Hallo", "0 of 3, word 1 of 7"],
    );
    let other = learner.drill(&["--learner", "Ana Lía"], b"");
    assert_in_order(
        &other.out,
        &["Word: Hallo", "`etude drill german-first-words --learner 'Ana Lía'` picks up"],
    );
}

#[test]
fn constants_of_the_law_can_be_set() {
    check(
        &["--words", "1", "--set", "required_usages=5"],
        "hallo\nhallo\nhallo\n",
        &["0 of 5", "Progress: used 3 of 5"],
    );
}

#[test]
fn a_killed_session_keeps_every_answer() {
    let learner = Learner::new();
    let mut running = learner.start_drill(&["--words", "1"]);
    running.say("hallo");
    running.wait_for("Progress: used 1 of 3");
    running.kill();
    let again = learner.drill(&[], b"hallo\n");
    assert_in_order(
        &again.out,
        &["Note: Picking up where you left off.", "Progress: used 1 of 3", "Progress: used 2 of 3"],
    );
}

#[test]
fn a_session_continued_elsewhere_is_shown_as_it_stands() {
    let learner = Learner::new();
    let mut first = learner.start_drill(&["--words", "1"]);
    first.wait_for("Progress: used 0 of 3");
    let second = learner.drill(&[], b"hallo\n");
    assert_in_order(&second.out, &["Picking up", "Progress: used 1 of 3"]);
    first.say("hallo");
    first.wait_for("Note: This continued somewhere else");
    first.wait_for("Progress: used 1 of 3");
    let third = learner.drill(&[], b":leave\n");
    assert_in_order(&third.out, &["begins the next session"]);
    first.say("hallo");
    first.wait_for("Note: This continued somewhere else");
    first.wait_for("begins the next session");
    assert_eq!(first.end(), Some(0));
}

#[test]
fn a_session_in_a_pipe_has_no_timers() {
    let learner = Learner::new();
    let opened = learner.run(&["--json", "new", "drill", "--with", r#"{"pack":"german-first-words"}"#], b"");
    let view: serde_json::Value = serde_json::from_str(&opened.out).expect("JSON");
    learner.run(&["send", view["id"].as_str().expect("a flow has an id"), "start"], b"");
    assert_eq!(learner.armed_timers(), 1, "a server on the same database would fire it");
    assert_in_order(&learner.drill(&[], b"").out, &["Picking up", "Note: Saved."]);
    assert_eq!(learner.armed_timers(), 0);
    learner.drill(&[], b"hallo\n");
    assert_eq!(learner.armed_timers(), 0);
}

/// All output is in one language: the one asked for, or else the profile's, the pack's or the system's.
#[test]
fn the_terminal_speaks_german() {
    let german = [
        "Wort: Hallo\nBedeutung: hello, hi",
        "Fortschritt: benutzt 0 von 3, Wort 1 von 5",
        "Du: xx\nCoach: ",
        "Hinweis: Gespeichert.",
    ];
    check(&["--language", "de"], "xx\n", &german);
    check(&["--lang", "de"], "xx\n", &german);
    let learner = Learner::new();
    let english = learner.drill_in(&[("LANG", "de_DE.UTF-8")], &[], b"").out;
    assert_in_order(&english, &["Word: Hallo", "Note: Saved."]);
    learner.run(&["learner", "set", "language", "de"], b"");
    assert_in_order(&learner.drill(&[], b"").out, &["Hinweis: Es geht dort weiter"]);
    assert_in_order(&learner.drill(&["--language", "en"], b"").out, &["Note: Picking up"]);
    assert_in_order(&learner.run(&["drill"], b"").out, &["Deine Pakete", "Deutsch, erklärt auf Englisch"]);
    let other = Learner::new();
    assert_in_order(&other.run(&["drill", "english-first-words"], b"xx\n").out, &["Wort: ", "Hinweis: "]);
    let locale = |name, value| other.run_in(&[(name, value)], &["drill"], b"").out;
    assert_in_order(&locale("LANG", "de_DE.UTF-8"), &["Deine Pakete"]);
    assert_in_order(&locale("LC_ALL", "de_CH"), &["Deine Pakete"]);
    assert_in_order(&locale("LANG", "fr_FR.UTF-8"), &["Your packs"]);
}

/// For programs, every turn is a line of JSON.
#[test]
fn a_json_session_prints_a_line_for_every_turn() {
    let shown = Learner::new().run(&["--json", "drill", PACK, "--words", "1"], b"xx\nhallo\n");
    let lines: Vec<serde_json::Value> =
        shown.out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    assert_eq!(lines.len(), 3, "{}", shown.out);
    assert_eq!(lines[1]["said"][0]["role"], "correction");
    assert_eq!(lines[2]["desk"]["progress"][0]["done"], 1);
    assert_eq!(lines[2]["desk"]["ask"]["verb"], "answer");
}

#[test]
fn odd_input_is_survived() {
    let check = |line: &[u8], expected: &[&str]| {
        let shown = Learner::new().drill(&[], &[line, b"\nhallo\n"].concat());
        assert_eq!(shown.code, Some(0), "{shown:?}");
        assert_in_order(
            &shown.out,
            &[expected, &["You: hallo", "Progress: used 1 of 3", "Note: Saved."]].concat(),
        );
        assert!(!shown.out.contains(['\u{1b}', '\u{7}']), "{}", shown.out);
    };
    let long = "lang ".repeat(20_000);
    check(
        long.as_bytes(),
        &["Note: That was very long: only the first 2000 characters were read.", "Coach: I didn't hear"],
    );
    check("я".repeat(50_000).as_bytes(), &["Note: That was very long"]);
    check(b"\xff\xfe\x80", &["Note: Part of that was not readable text", "Coach: I didn't catch any words"]);
    check(b"\x1b]0;owned\x07\x1b[2J", &["You: ]0;owned  [2J\n", "Note: Part of that was not readable text"]);
    check(
        "привет 你好 שלום مرحبا 👋🏽".as_bytes(),
        &["You: привет 你好 שלום مرحبا 👋🏽\n", "Coach: I didn't hear"],
    );
    check(b"\r", &["Coach: I didn't catch any words"]);
}

#[test]
fn a_closed_output_loses_no_answer() {
    let learner = Learner::new();
    let mut running = learner.start_drill(&[]);
    running.wait_for("Progress: used 0 of 3");
    running.close_output();
    running.say("hallo");
    running.say("hallo");
    assert_eq!(running.end(), Some(0));
    let again = learner.drill(&[], b"").out;
    assert_in_order(&again, &["Picking up", "Progress: "]);
    assert!(!again.contains("0 of 3"), "what was answered is kept: {again}");
}

#[test]
fn the_packs_are_listed() {
    let learner = Learner::new();
    learner.drill(&["--words", "1"], b"hallo\nhallo\nhallo\n");
    learner.run(&["drill", "spanish-first-words"], b"");
    let shown = learner.run(&["drill"], b"");
    let expected = [
        "german-first-words  German: first words\n      German, explained in English · 110 items · 1 learned · 0 due\n",
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
fn an_impossible_request_names_a_possible_one() {
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
        ("apkg", "110 notes, 1 with a history\n", "110 notes read, 1 with a history"),
        ("csv", "110 notes; CSV holds no history; use .apkg\n", "110 notes read, 0 with a history"),
        ("tsv", "110 notes; TSV holds no history; use .apkg\n", "110 notes read, 0 with a history"),
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
fn foreign_cards_have_their_text_in_front() {
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
fn an_idle_learner_is_told_when_to_come_back() {
    let learner = Learner::new();
    learner.add_pack("tiny", pipe::TINY_PACK);
    learner.run(&["drill", "tiny"], b"hallo\nhallo\nhallo\n");
    let shown = learner.run(&["drill", "tiny"], b"");
    let expected = ["There is nothing to learn", "Note: The next review is in ", "`etude drill tiny` begins"];
    assert_in_order(&shown.out, &expected);
}

#[test]
fn a_person_at_a_terminal_is_coached() {
    let learner = Learner::new();
    let Some(mut terminal) = Terminal::open(&learner, "drill german-first-words --words 1") else {
        return;
    };
    terminal.wait_for(&[
        "── Hallo — hello, hi ──",
        "→ Hallo — hello, hi",
        "○○○ used 0 of 3 · word 1 of 1 · met so far 0",
        "›",
    ]);
    // Arrow keys and letters of several bytes can be edited.
    terminal.keys(&["-l", "allö"]);
    terminal.keys(&["Left", "Left", "Left", "Left", "h", "End", "BSpace", "o", "Enter"]);
    terminal.wait_for(&["› hallo", "✓ ", "●○○ used 1 of 3"]);
    terminal.keys(&["-l", "halo"]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(&["≈ Understood!", "-halo +Hallo", "From memory", "●●○ used 2 of 3"]);
    assert!(terminal.colours().contains("\u{1b}[32m"), "praise is green");
    terminal.keys(&["C-c"]);
    terminal
        .wait_for(&["Saved. `etude drill german-first-words` picks up where you left off.", "ended with 0"]);
}

/// No timer runs, so a learner who is called away comes back to the same question.
#[test]
fn the_coach_waits_at_a_terminal() {
    let learner = Learner::new();
    let Some(mut terminal) = Terminal::open(&learner, "drill spanish --words 1") else { return };
    terminal.wait_for(&["Spanish: first words", "○○○ used 0 of 3", "›"]);
    assert_eq!(learner.armed_timers(), 0);
    terminal.keys(&["-l", "quit"]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(&["› quit", "Saved. `etude drill spanish-first-words`", "ended with 0"]);
}

#[test]
fn the_coach_repeats_itself_after_a_silence() {
    let learner = Learner::new();
    let Some(mut terminal) = Terminal::open(&learner, "drill german-first-words --patience 5") else {
        return;
    };
    terminal.wait_for(&["○○○ used 0 of 3", "›"]);
    terminal.resize(34);
    terminal.keys(&["-l", "half ty"]);
    // The coach speaks above the prompt in lines that fit, and the typed text stays.
    terminal.wait_for(&["○○○ used 0 of 3", "› half ty"]);
    terminal.wait_for(&["○○○ used 0 of 3", "  │ Mia calls over the garden\n", "› half ty"]);
    terminal.keys(&["C-u", "C-d"]);
    terminal.wait_for(&["Saved. `etude drill", "ended with 0"]);
}
