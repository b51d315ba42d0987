//! Tests of `etude teach` as a learner meets it: courses through pipes, and some in a real terminal.

use crate::common::learner::{Learner, Shown, assert_in_order};
use crate::common::pty::Terminal;
use crate::common::stored::{document, stored};
use serde_json::{Value, json};
use store::{At, RecordChange};

/// A curriculum of alpha, beta and gamma, each of which needs the previous one. The answer to every question is the
/// name of its letter.
const LETTERS: &str = include_str!("../../../coaching/src/teach/scenarios/curricula/three-letters.yaml");
/// The answers to a diagnosis of a learner who knows nothing.
const NOTHING: &str = "idk\nidk\nidk\n";
/// The input from the explanation of alpha to the wait for its reviews.
const ALPHA: &str = "\nalpha\nalpha\n";

fn letters() -> Learner {
    let learner = Learner::new();
    learner.add_file("curricula/three-letters.yaml", LETTERS);
    learner
}

impl Learner {
    /// Runs `etude teach`. New courses on three letters wait for reviews, because most of these tests need that.
    fn teach(&self, args: &[&str], script: &str) -> Shown {
        let gate: &[&str] = if args == ["three letters"] { &["--gate", "mastered"] } else { &[] };
        let shown = self.run(&[&["teach"], args, gate].concat(), script.as_bytes());
        assert!(
            !shown.out.contains(['\u{1b}', '\u{7}']),
            "plain lines have no control characters: {}",
            shown.out
        );
        shown
    }

    /// Makes every dated concept due.
    fn let_time_go_by(&self) {
        stored(self.data(), async |store| {
            for record in store.records("me", "mind_map_node", 100).await.expect("concepts are read") {
                if record.due_at.is_none() {
                    continue;
                }
                let mut body: Value = serde_json::from_str(&record.body).expect("JSON");
                body["next_review_at_us"] = json!(0);
                let due = RecordChange {
                    learner: record.learner,
                    kind: record.kind,
                    key: record.key,
                    body: Some(body.to_string()),
                    due_at: Some(At(0)),
                    rank: record.rank,
                    scope: record.scope,
                    standing: record.standing,
                };
                store.remember(&[due], record.updated_at).await.expect("it is due");
            }
        });
    }

    fn list(&self) -> Value {
        serde_json::from_str(&self.run(&["--json", "teach", "list"], b"").out).expect("JSON")
    }
}

/// Runs a course through a pipe and checks that the expected texts appear in this order.
fn check(script: &str, expected: &[&str]) {
    let shown = letters().teach(&["three letters"], script);
    assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{shown:?}");
    assert_in_order(&shown.out, expected);
}

#[test]
fn a_new_learner_gets_the_local_time_zone() {
    let learner = letters();
    let zone = || learner.run(&["learner", "show"], b"").out;
    for (here, expected) in
        [("America/Los_Angeles", "America/Los_Angeles"), ("Asia/Tokyo", "America/Los_Angeles")]
    {
        learner.run_in(&[("TZ", here)], &["teach", "three letters"], b"");
        assert!(zone().contains(expected), "{}", zone());
    }
}

#[test]
fn a_course_goes_from_the_diagnosis_to_its_second_concept() {
    check(
        &format!("{NOTHING}{ALPHA}\nalpha\n\nalpha\n\nalpha\n\nbeta\n"),
        &[
            "Note: Three letters. Everything is saved as you go",
            "Coach: First a few questions, at most 7,",
            "Progress: Questions 0 of 7, Concepts mastered 0 of 3\nQuestion: ",
            "Choice: a) ",
            "Progress: Questions 2 of 7, Concepts mastered 0 of 3\nQuestion: ",
            "Coach: Your map has 3 concepts, about 15 minutes in all. We begin at the beginning.",
            "Heading: Alpha\nExplanation: Alpha is the name of a letter.",
            "Example: Which letter is it?",
            "Note: Enter: Go on · `?`: Ask · `skip`: Straight to the quiz\nYou:\nQuestion: ",
            "You: alpha\nCoach: Right.\nCoach: “alpha” counts as “it is alpha”.",
            "Progress: Quiz questions 0 of 3, Concepts mastered 0 of 3\nQuestion: ",
            "Coach: You have understood “Alpha”. It comes back in ",
            "Coach: Answer “Alpha” right 3 more times in a row (a slip counts as 3 of 5, a choice as 4) to open “Beta”.",
            "Progress: Concepts mastered 0 of 3\nNote: Enter: practise now",
            "Heading: Alpha\nProgress: Concepts asked 0 of 1\nQuestion: ",
            "Coach: 1 of 1 recalled.",
            "Answer “Alpha” right 2 more times in a row",
            "Answer “Alpha” right once more",
            "Coach: 1 of 1 recalled.",
            "Heading: Beta\nExplanation: Beta is the name",
            "Progress: Concepts mastered 1 of 3\nNote: Enter: Go on",
            "You: beta\nCoach: Right.",
            "Note: Saved. `etude teach three-letters` picks up where you left off.",
        ],
    );
}

#[test]
fn a_failed_quiz_tells_the_answer_and_explains_again() {
    check(
        &format!("{NOTHING}\nomega\nomega\nomega\n"),
        &[
            "You: omega\nCoach: Not yet. The answer should say: it is alpha.\nCoach: A good answer: It is alpha.",
            "Progress: Quiz questions 0 of 3",
            "Coach: “Alpha” hasn't sunk in yet. Let's look at it again.",
            "Heading: Alpha, once more",
        ],
    );
}

/// The rules know only some words for an idea.
#[test]
fn an_answer_in_other_words_can_be_counted_as_right() {
    check(
        &format!("{NOTHING}mine\nwhy\n\nthe first of them\nwhy\nmine\nwhy\nmine\nalpha\nalpha\n"),
        &[
            "You: mine\nNote: `mine` does nothing here, and it was not taken as an answer.",
            "You: why\nNote: None of your answers has been marked yet.",
            "You: the first of them\nCoach: Not yet. The answer should say: it is alpha.",
            "Note: `mine`: If you meant just that, count your last answer as right.\nProgress: Quiz questions",
            "You: why\nCoach: Your last answer got 1 out of 5.\nCoach: Not yet.",
            "You: mine\nCoach: Then it counts as 3, by your own judgement.\nCoach: Back to the question:",
            "You: why\nCoach: Your last answer got 3 out of 5.\nCoach: By your own judgement:",
            "You: mine\nNote: `mine` does nothing here",
            "You: alpha\nCoach: Right.",
            "Coach: You have understood “Alpha”.",
        ],
    );
    // This also works for the last answer of a review.
    let learner = letters();
    learner.teach(&["three letters"], &format!("{NOTHING}{ALPHA}"));
    let answers = "the first of them\n? what is alpha\nwell\nmine\n";
    let shown = learner.teach(&["review", "letters", "--ahead"], answers);
    let expected = [
        "Coach: Not yet.",
        "Note: You have answered everything.",
        "You: ? what is alpha\nNote: You can't ask your own questions here.",
        "You: well\nNote: You haven't been asked anything.",
        "Note: Enter: Finish · `mine`: I meant that\nYou: mine",
        "Coach: Then it counts as 3",
        "Coach: 1 of 1 recalled.",
    ];
    assert_in_order(&shown.out, &expected);
    // A learner who leaves has no objection, and the review ends all the same.
    let learner = letters();
    learner.teach(&["three letters"], &format!("{NOTHING}{ALPHA}"));
    let shown = learner.teach(&["review", "letters", "--ahead"], "help\nthe first of them\n");
    assert_in_order(
        &shown.out,
        &["Commands: ? …, Ask something", "Note: Enter: Finish", "Coach: 0 of 1 recalled."],
    );
}

#[test]
fn a_diagnosis_gives_nothing_away() {
    let shown = letters().teach(&["three letters"], "omega\nomega\nomega\n");
    let probes = shown.out.split("Your map has").next().expect("there is a beginning");
    assert!(!probes.contains("good answer: It") && !probes.contains("Not yet"), "{probes}");
}

#[test]
fn the_learners_own_questions_are_answered_in_between() {
    check(
        &format!("{NOTHING}? who invented cheese\n?\nwhat about letter gamma?\ngamma\n\nalpha\n"),
        &[
            "You: ? who invented cheese\nCoach: That is not on the map of “Three letters”.",
            "You: ?\nCommands: Enter, Go on",
            "Commands: ? …, Ask something of your own",
            "You: what about letter gamma?\nHeading: About Gamma",
            "Coach: One question to see whether that helped. It doesn't count, and `skip` goes back.\nQuestion: ",
            "You: gamma\nCoach: Right.",
            "Note: Enter: Go on",
            "You: alpha\nCoach: Right.",
            "Progress: Quiz questions",
        ],
    );
    // The question that waits behind it is not forgotten.
    check(
        &format!("{NOTHING}\n? letter gamma\nagain\nskip\n"),
        &[
            "You: again\nHeading: Alpha",
            "Coach: One question to see whether that helped.",
            "Coach: After that, this question is still open:\nQuestion: Which letter stands first",
            "Question: ",
            "You: skip\nCoach: Back to the question:\nQuestion: Which letter stands first",
        ],
    );
}

#[test]
fn slips_and_commands_are_no_answers() {
    check(
        &format!("{NOTHING}nonsense\nhelp\nagain\nskip\n\nx y z?\nalpha\n"),
        &[
            "You: nonsense\nNote: You haven't been asked anything yet.",
            "Commands: Enter, Go on after an explanation",
            "Commands: quit, Stop",
            "You: again\nHeading: Alpha",
            "You: skip\nProgress: Quiz questions 0 of 3, Concepts mastered 0 of 3\nQuestion: ",
            "You:\nCoach: ",
            "You: x y z?",
            "You: alpha\n",
        ],
    );
    // An answer that names a missing option.
    let learner = Learner::new();
    let shown = learner.teach(&["I want to learn probability"], "q\nskip\nquit\nidk\n");
    let expected = [
        "You: q\nCoach: Which one do you mean? Answer with one of a,",
        "You: skip\nProgress: Questions 1 of 7",
        "You: quit\nNote: Saved. `etude teach probability`",
    ];
    assert_in_order(&shown.out, &expected);
}

#[test]
fn a_course_goes_on_where_it_stopped() {
    let learner = letters();
    learner.teach(&["three letters"], NOTHING);
    let again = learner.teach(&["I want to learn the three letters", "--goal", "read"], "");
    assert_in_order(
        &again.out,
        &[
            "Note: Picking up where you left off.",
            "Note: --goal is for a new course",
            "Heading: Alpha\n",
            "Note: Enter: Go on",
        ],
    );
    let quiz = learner.teach(&["three-letters"], "\nalpha\n");
    assert_in_order(&quiz.out, &["Progress: Quiz questions", "Question: ", "Note: Saved."]);
    assert_in_order(
        &learner.teach(&["letters"], "").out,
        &["Picking up", "Progress: Quiz questions", "Question: ", "Note: Saved."],
    );
    assert_eq!(learner.list()["courses"].as_array().map(Vec::len), Some(1));
    let other = learner.teach(&["three letters", "--learner", "Ana Lía"], "");
    assert_in_order(&other.out, &["First a few", "`etude teach three-letters --learner 'Ana Lía'` picks up"]);
}

#[test]
fn two_terminals_do_not_answer_twice() {
    let learner = letters();
    learner.teach(&["three letters"], "");
    let mut first = learner.start(&["teach", "three letters"]);
    first.wait_for("Question: ");
    learner.teach(&["three letters"], "idk\n");
    first.say("idk");
    first.wait_for("Note: This continued somewhere else");
    first.wait_for("Progress: Questions 1 of 7");
    first.kill();
    let rest = learner.teach(&["three letters"], "idk\nidk\n");
    assert_in_order(
        &rest.out,
        &["Progress: Questions 1 of 7", "Progress: Questions 2 of 7", "Heading: Alpha"],
    );
}

#[test]
fn due_concepts_are_reviewed() {
    let learner = letters();
    assert_in_order(&learner.teach(&["review"], "").out, &["Note: Nothing is due for review."]);
    learner.teach(&["three letters"], &format!("{NOTHING}{ALPHA}"));
    assert_in_order(&learner.teach(&["review"], "").out, &["Note: The next review is in "]);
    let ahead = learner.teach(&["review", "letters", "--ahead"], "");
    assert_in_order(
        &ahead.out,
        &[
            "Note: Three letters\nHeading: Alpha\nProgress: Concepts asked 0 of 1\nQuestion: ",
            "Note: Saved. `etude teach review`",
        ],
    );
    // A review that was left continues, on every surface.
    let rest = learner.teach(&["review"], "alpha\n");
    assert_in_order(
        &rest.out,
        &[
            "Progress: Concepts asked 0 of 1\nQuestion: ",
            "Coach: Right.",
            "1 of 1 recalled.",
            "The next review is",
        ],
    );
    learner.teach(&["review", "--ahead"], "alpha\n");
    let last = learner.teach(&["review", "--ahead"], "alpha\n");
    assert_in_order(
        &last.out,
        &["1 of 1 recalled.", "Note: “Three letters” continues: `etude teach three-letters`."],
    );
    assert!(!last.out.contains("Beta is the name"), "a review alone teaches nothing new: {}", last.out);
    assert_in_order(
        &learner.teach(&["letters"], "").out,
        &["Heading: Beta\n", "Progress: Concepts mastered 1 of 3"],
    );
    learner.let_time_go_by();
    assert_in_order(&learner.teach(&[], "").out, &["being taught · 1 of 3 mastered · 1 review due"]);
    let due = learner.teach(&["review"], "omega\nalpha\n").out;
    assert_in_order(
        &due,
        &["Heading: Alpha\n", "0 of 1 recalled.", "“Three letters” continues", "The next review is "],
    );
}

#[test]
fn the_inbox_is_read_once() {
    let learner = letters();
    assert_in_order(&learner.teach(&["inbox"], "").out, &["Your inbox is empty."]);
    let message = json!({"instance": "x", "text": "**Alpha**\n\nWhich\u{1b}[2J one?", "role": "question"});
    stored(learner.data(), async |store| document(store, "me", "inbox", "1", &message.to_string()).await);
    assert_in_order(&learner.teach(&[], "").out, &["1 message is waiting: `etude teach inbox`."]);
    let shown = learner.teach(&["inbox", "--keep"], "").out;
    assert_in_order(
        &shown,
        &["1970-01-01T00:00:00", "  Alpha\n\n  Which [2J one?\n", "`etude teach review` lets you answer."],
    );
    assert_in_order(&learner.teach(&["inbox"], "").out, &["  Alpha\n"]);
    assert_in_order(&learner.teach(&["inbox"], "").out, &["Your inbox is empty."]);
}

#[test]
fn courses_are_listed_with_their_commands() {
    let learner = letters();
    let nothing = learner.teach(&[], "").out;
    assert_in_order(
        &nothing,
        &["You could learn", "SQL for", "      etude teach sql\n", "Three letters", "Say what you want"],
    );
    learner.teach(&["three letters"], &format!("{NOTHING}{ALPHA}"));
    let shown = learner.teach(&["list"], "").out;
    let expected = [
        "Your courses\n\n  Three letters  ",
        "░░░░░░░░░░ waiting for reviews · 0 of 3 mastered · review in ",
        "days\n      etude teach three-letters\n",
        "You could learn",
    ];
    assert_in_order(&shown, &expected);
    assert!(!shown.split("You could learn").last().expect("an end").contains("three-letters"), "{shown}");
    let course = &learner.list()["courses"][0];
    assert_eq!((course["status"].as_str(), course["due"].as_u64()), (Some("reviewing"), Some(0)), "{course}");
    assert_eq!(course["command"], "etude teach three-letters");
}

#[test]
fn a_map_is_shown_exported_and_imported() {
    let learner = letters();
    learner.teach(&["three letters"], &format!("{NOTHING}{ALPHA}"));
    let tree = learner.teach(&["map", "letters"], "").out;
    assert_in_order(
        &tree,
        &["Three letters\n\n● Alpha  review in ", "  ← you are here\n└─· Beta\n  └─· Gamma\n\n✓ mastered"],
    );
    let ascii = learner.run_in(&[("LC_ALL", "C")], &["teach", "map", "letters"], b"").out;
    assert_in_order(&ascii, &["# Alpha", "`-- Beta\n"]);
    for (format, expected) in
        [("mermaid", "flowchart"), ("dot", "digraph"), ("graphml", "<graphml"), ("canvas", "\"nodes\"")]
    {
        let shown = learner.teach(&["map", "letters", "--format", format], "").out;
        assert!(shown.contains(expected), "{format}: {shown}");
    }
    let file = learner.data().join("map.json").display().to_string();
    assert_in_order(
        &learner.teach(&["map", "letters", "-o", &file], "").out,
        &["map.json has been written."],
    );
    let imported = learner.teach(&["import", &file], "").out;
    assert_in_order(&imported, &["“Three letters” is ready, 3 concepts. `etude teach "]);
    // The imported map is a course of its own: progress in the first course stays there.
    let courses = learner.list()["courses"].clone();
    let ids: Vec<&str> =
        courses.as_array().expect("a list").iter().filter_map(|c| c["mind_map_id"].as_str()).collect();
    assert_eq!(ids.len(), 2);
    let command = courses[0]["command"].as_str().expect("a command").replace("etude teach ", "");
    assert_in_order(
        &learner.teach(&[&command], &format!("{NOTHING}{ALPHA}")).out,
        &["Alpha is the name of a letter"],
    );
    let due = learner.list()["courses"].clone();
    assert_eq!((&due[0]["status"], &due[1]["status"]), (&"teaching".into(), &"reviewing".into()), "{due}");
    let tree = learner.teach(&["map", ids[1]], "").out;
    assert_in_order(&tree, &["● Alpha  review in "]);
}

/// This map has no written lessons or questions and there is no model, so the learner judges.
#[test]
fn a_map_without_lessons_is_taught_by_its_descriptions() {
    let learner = Learner::new();
    let node = |n: u32, label: &str| {
        let description = format!("What a {label} is good for.");
        json!({"node_id": format!("00000000-0000-4000-8000-00000000000{n}"), "label": label, "description": description})
    };
    let map = json!({
        "mind_map_id": "00000000-0000-4000-8000-000000000000",
        "title": "Knots",
        "nodes": [node(1, "bowline"), node(2, "clove hitch"), node(3, "reef knot")],
    });
    let file = learner.add_file("knots.json", map.to_string());
    assert_in_order(&learner.teach(&["import", &file], "").out, &["“Knots” is ready, 3 concepts."]);
    let shown = learner.teach(&["knots"], &format!("{NOTHING}\n5\n4 it holds\n5 it holds well\n"));
    let expected = [
        "What do you know about",
        // A learner who does not know a concept gets no head start.
        "We begin at the beginning.",
        "Heading: bowline\nExplanation: What a bowline is good for.",
        "Question: How would you explain bowline to a friend?",
        "You: 5\nCoach: ",
        "You: 4 it holds\nCoach: What a bowline is good for.",
        "what is an example of bowline",
        "Coach: You have understood “bowline”.",
        "Heading: clove hitch",
    ];
    assert_in_order(&shown.out, &expected);
}

#[test]
fn a_course_is_ended_and_resumed() {
    let learner = letters();
    learner.teach(&["three letters"], &format!("{NOTHING}{ALPHA}"));
    let kept = learner.teach(&["abandon", "letters"], "n\n");
    assert_eq!(kept.code, Some(1), "{kept:?}");
    assert_in_order(&kept.err, &["End “Three letters”? You keep what you have learned. [y/N]"]);
    let ended = learner.teach(&["abandon", "letters"], "y\n");
    assert_in_order(&ended.out, &["“Three letters” has been ended. `etude teach resume "]);
    assert_in_order(
        &learner.teach(&[], "").out,
        &["put aside", "etude teach resume ", "etude teach three-letters"],
    );
    let expected = [
        "You ended “Three letters”. `etude teach resume ",
        "`etude teach three-letters --again` starts over",
    ];
    assert_in_order(&learner.teach(&["three-letters"], "").out, &expected);
    let again = learner.teach(&["abandon", "letters", "--yes"], "");
    assert_eq!(again.code, Some(2), "{again:?}");
    let resumed = learner.teach(&["resume", "letters"], "? what is letter alpha\nalpha\nskip\n");
    assert_in_order(
        &resumed.out,
        &[
            "Note: Resumed with everything you knew",
            "Progress: Concepts mastered 0 of 3",
            "The next thing is due in ",
            "Heading: About Alpha",
            "Coach: Right.",
            "Note: `skip` does nothing here",
        ],
    );
}

/// A finished course is not started again by mistake.
#[test]
fn a_finished_course_is_shown_and_not_restarted() {
    let learner = Learner::new();
    let one = LETTERS.split("  - id: beta").next().expect("a first letter");
    learner.add_file(
        "curricula/letter.yaml",
        one.replace("three-letters", "letter").replace("Three letters", "A letter"),
    );
    let done = learner.teach(&["letter"], &format!("idk\n{ALPHA}\nalpha\n\nalpha\n\nalpha\n"));
    assert_in_order(
        &done.out,
        &["Note: You have completed the course. `etude teach review` keeps it fresh."],
    );
    for topic in ["letter", "a letter", "I want to learn about a letter"] {
        let shown = learner.teach(&[topic], "");
        let expected = [
            "A letter\n\n✓ Alpha  review in ",
            "The next review is in ",
            "You have completed this course. `etude teach review ",
            "--ahead` practises it, `etude teach letter --again` starts over",
        ];
        assert_in_order(&shown.out, &expected);
    }
    assert_eq!(learner.list()["courses"].as_array().map(Vec::len), Some(1));
    assert_in_order(&learner.teach(&["letter", "--again"], "").out, &["First a few questions"]);
    assert_in_order(
        &learner.teach(&["letter", "--again"], "").out,
        &["--again is for a course that has ended"],
    );
}

#[test]
fn a_users_own_curriculum_is_checked_and_taught() {
    let learner = Learner::new();
    let file = learner.add_file("somewhere/three-letters.yaml", LETTERS);
    let shown = learner.teach(&["import", &file], "");
    assert_in_order(
        &shown.out,
        &["“Three letters” can be taught now, 3 concepts. `etude teach three-letters` begins it."],
    );
    assert_in_order(&learner.teach(&["import", &file], "").err, &["is there already; give --replace"]);
    assert_eq!(learner.teach(&["import", &file, "--replace"], "").code, Some(0));
    assert_in_order(&learner.teach(&["three-letters"], NOTHING).out, &["Heading: Alpha"]);
    let broken =
        learner.add_file("somewhere/broken.yaml", LETTERS.replace("needs: [beta]", "needs: [delta]"));
    let refused = learner.teach(&["import", &broken], "");
    assert_eq!(refused.code, Some(2));
    assert_in_order(&refused.err, &["delta", "is not taken over"]);
    learner.add_file("curricula/bad.yaml", "curriculum: bad\n");
    let listed = learner.teach(&[], "");
    assert_in_order(&listed.err, &["bad.yaml has", "left out"]);
    assert_in_order(&learner.run(&["doctor"], b"").out, &["5 curricula can be taught", "bad.yaml has"]);
}

#[test]
fn odd_input_is_survived() {
    let check = |line: &[u8], expected: &[&str]| {
        let learner = letters();
        learner.teach(&["three letters"], &format!("{NOTHING}\n"));
        let shown = learner.run(&["teach", "letters"], &[line, b"\nalpha\n"].concat());
        assert_eq!((shown.code, shown.err.as_str()), (Some(0), ""), "{shown:?}");
        assert_in_order(&shown.out, &[expected, &["You: alpha\n", "Note: Saved."]].concat());
        assert!(!shown.out.contains(['\u{1b}', '\u{7}']), "{}", shown.out);
    };
    check(
        &b"long ".repeat(200_000),
        &["Note: That was very long: only the first 4000 characters were read.", "Coach: "],
    );
    check(b"\x1b]0;owned\x07\x1b[2J\xff", &["Note: Part of that was not readable text", "Coach: "]);
    check(
        b"<script>alert(1)</script> **alpha** `rm -rf`",
        &["You: <script>", "Coach: Right.\nCoach: “alpha"],
    );
    check("привет 你好 שלום 👋🏽".as_bytes(), &["You: привет", "Coach: Not yet."]);
}

#[test]
fn an_answer_may_have_several_lines() {
    let learner = letters();
    learner.teach(&["three letters"], &format!("{NOTHING}\n"));
    let shown = learner.teach(&["letters"], "it is \\\nalpha\n```\nalpha\n```\n");
    let expected = [
        "You: it is \\\nYou: alpha\nCoach: Right.",
        "Progress: Quiz questions",
        "You: ```\nYou: alpha\nYou: ```\nCoach: ",
    ];
    assert_in_order(&shown.out, &expected);
}

/// Indentation matters in code, and a line's length counts characters, not bytes.
#[test]
fn code_keeps_its_indentation() {
    let learner = letters();
    learner.teach(&["three letters"], &format!("{NOTHING}\n"));
    let comment = "ж".repeat(2_100);
    learner.teach(&["letters"], &format!("```\nif x:\n    alpha\n\tbeta\n# {comment}\n```\n"));
    let answers = stored(learner.data(), async |store| store.records("me", "quiz_response", 100).await);
    let answers = answers.expect("answers are read");
    let body = &answers.iter().max_by_key(|answer| answer.updated_at).expect("an answer").body;
    let answer = format!("```\\nif x:\\n    alpha\\n    beta\\n# {comment}\\n```");
    assert!(body.contains(&answer), "{body}");
}

#[test]
fn an_impossible_request_names_a_possible_one() {
    let check = |args: &[&str], code: i32, expected: &[&str]| {
        let shown = letters().teach(args, "");
        assert_eq!(shown.code, Some(code), "{shown:?}");
        assert_in_order(&shown.err, expected);
    };
    check(&["the art of cheese"], 2, &["no curriculum for “the art of cheese”", "do:", "choose one of"]);
    check(&["map", "cheese"], 2, &["there is no course `cheese`", "`etude teach list`"]);
    check(&["review", "\u{1b}[31mx"], 2, &["there is no course ` [31mx`"]);
    check(&["import", "/nowhere.json"], 2, &["/nowhere.json cannot be read"]);
    check(&["map", "x", "--format", "png"], 2, &["mermaid, dot, canvas, graphml, json"]);
    check(&["three letters", "--learner", "a/b"], 2, &["the learner is empty, too long or has characters"]);
}

#[test]
fn the_terminal_speaks_german() {
    let script = format!("{NOTHING}hilfe\nweiter\nomega\ndoch\nende\n");
    let german = [
        "Hinweis: Three letters. Alles wird",
        "Coach: Zuerst ein paar Fragen, höchstens 7",
        "Fortschritt: Fragen 0 von 7, Gemeisterte Begriffe 0 von 3\nFrage: ",
        "Hinweis: Dieser Kurs ist auf Englisch",
        "Coach: Deine Karte hat 3 Begriffe, zusammen etwa 15 Minuten.",
        "Du: hilfe\nBefehle: Enter,",
        "Du: weiter\nFrage: ",
        "Du: omega\nCoach: Noch nicht. Das gehört in die Antwort: it is alpha.",
        "Du: doch\nCoach: Dann zählt es als 3",
        "Du: ende\nHinweis: Gespeichert.",
    ];
    let asked = letters().teach(&["three letters", "--lang", "de"], &script);
    assert_in_order(&asked.out, &german);
    let system = letters().run_in(&[("LANG", "de_DE.UTF-8")], &["teach", "three letters"], script.as_bytes());
    assert_in_order(&system.out, &german);
    let learner = letters();
    learner.run(&["learner", "set", "language", "de"], b"");
    assert_in_order(&learner.teach(&["three letters"], &script).out, &german);
    assert_in_order(&learner.teach(&["map", "cheese"], "").err, &["es gibt keinen Kurs `cheese`"]);
}

/// Bare `etude` shows due reviews and open courses.
#[test]
fn a_returning_learner_is_greeted() {
    let learner = letters();
    let new = learner.run(&[], b"").out;
    assert_in_order(
        &new,
        &["Four things to try:", "etude teach sql", "etude drill", "etude attempt", "etude agent install"],
    );
    assert!(!learner.data().join("etude.db").exists(), "a greeting alone makes no database");
    learner.teach(&["three letters"], &format!("{NOTHING}{ALPHA}"));
    learner.run(&["drill", "german-first-words"], b"");
    let open = learner.run(&[], b"").out;
    let expected = [
        "Welcome back.",
        "etude drill german-first-words   your session with “German: first words” is open",
        "etude teach three-letters        “Three letters”: next review in ",
        "Type `etude drill german-first-words` to continue.",
    ];
    assert_in_order(&open, &expected);
    learner.let_time_go_by();
    learner.run(&["learner", "set", "language", "de"], b"");
    let due = learner.run(&[], b"").out;
    let expected =
        ["Willkommen zurück!", "1 Begriff ist zur Wiederholung fällig", "Mit `etude teach review`"];
    assert_in_order(&due, &expected);
}

#[test]
fn a_person_at_a_terminal_is_taught() {
    let learner = letters();
    learner.teach(&["three letters"], NOTHING);
    let Some(mut terminal) = Terminal::open(&learner, "teach letters") else { return };
    terminal.wait_for(&[
        "── Alpha ──",
        "  Alpha is the name",
        "  │ Example\n  │ Which letter",
        "Enter: Go on",
        "›",
    ]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(&["  ? Which letter stands first", "›"]);
    terminal.keys(&["-l", "alpha"]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(&["✓ Right.", "“alpha” counts as", "○○○ Quiz questions 0 of 3"]);
    assert!(terminal.colours().contains("\u{1b}[32m"), "praise is green");
    terminal.resize(40);
    terminal.keys(&["-l", "alpha"]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(&["○○○ Concepts mastered 0 of 3", "Enter: practise now"]);
    terminal.keys(&["C-d"]);
    terminal.wait_for(&["Saved. `etude teach three-letters`", "ended with 0"]);
}

/// Text waits to be read in a small window, and hurried typing is not lost.
#[test]
fn a_lesson_longer_than_the_screen_pauses() {
    let learner = letters();
    learner.teach(&["three letters"], NOTHING);
    let Some(mut terminal) = Terminal::open(&learner, "teach letters") else { return };
    terminal.wait_for(&["── Alpha ──", "Enter: Go on", "›"]);
    terminal.shrink(9);
    terminal.keys(&["-l", "again"]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(&["Alpha is the name", "Enter: read on"]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(&["Enter: Go on", "›"]);
    terminal.keys(&["-l", "again"]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(&["Enter: read on"]);
    terminal.keys(&["-l", "quit"]);
    terminal.keys(&["Enter"]);
    terminal.wait_for(&["ended with 0"]);
}
