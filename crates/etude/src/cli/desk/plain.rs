//! Draws items for screen readers and pipes: every line names its kind in words, and none is wrapped.

use super::markdown::{self, Piece, unmarked};
use super::page::{Item, how_to_answer};
use super::steps;
use crate::cli::screen::terminal::labelled;
use crate::cli::words::{self, Voice};
use coaching::desk::{Block, Choice, Form, Line, Progress, Role, TestRow};
use coaching::judging::Verdict;
use coaching::text;
use coaching::words::Text;

/// How many failed tests are named. The learner looks at one at a time.
pub(super) const MAX_FAILED: usize = 5;

pub(super) fn lines(item: &Item, voice: &Voice<'_>) -> String {
    let line = |label: Text, text: &Text| labelled(&voice.say(&label), &voice.say(text));
    match item {
        Item::Title(text) | Item::Note(text) | Item::Prompt(text) => line(words::label_note(), text),
        Item::Feedback(said, _) => spoken(said, voice),
        Item::Block(block) | Item::Step(block, _) => self::block(block, voice),
        Item::Ask(ask) => {
            let question = match (&ask.form, ask.question.is_empty()) {
                (_, true) => String::new(),
                (Form::Read | Form::Wait { .. }, _) => marked(words::label_note(), &ask.question, voice),
                _ => marked(words::label_question(), &ask.question, voice),
            };
            let options = match &ask.form {
                Form::Choice { options } | Form::Order { options } | Form::Several { options } => {
                    options.as_slice()
                }
                _ => &[],
            };
            let option = |Choice { label, text }: &Choice| {
                let text: Text = format!("{label}) {}", voice.say(text)).into();
                marked(words::label_choice(), &text, voice)
            };
            let hint = how_to_answer(&ask.form).map(|hint| line(words::label_note(), &hint));
            question + &options.iter().map(option).collect::<String>() + &hint.unwrap_or_default()
        }
        Item::Progress(progress) => {
            let parts: Vec<String> = progress.iter().map(|part| counted(part, voice)).collect();
            labelled(&voice.say(&words::label_progress()), &parts.join(", "))
        }
        Item::List { title, entries } => {
            let title = voice.say(title);
            entries
                .iter()
                .map(|(name, what)| labelled(&title, &format!("{name}, {}", voice.say(what))))
                .collect()
        }
    }
}

/// Describes progress in words.
pub(super) fn counted(progress: &Progress, voice: &Voice<'_>) -> String {
    let Progress { label, done, of, .. } = progress;
    voice.say(&match of {
        Some(of) => words::progress_of(label.clone(), *done, *of),
        None => words::progress(label.clone(), *done),
    })
}

fn block(block: &Block, voice: &Voice<'_>) -> String {
    match block {
        Block::Line(line) => spoken(line, voice),
        Block::Text { text } => marked(words::label_coach(), text, voice),
        Block::Code { text, .. } => text.lines().map(|line| code(words::label_code(), line, voice)).collect(),
        Block::Table { head, rows } => {
            let line = |row: &Vec<Text>| {
                let cell = |(head, cell): (&Text, &Text)| labelled(&voice.say(head), &voice.say(cell));
                let cells: Vec<String> = head.iter().zip(row).map(cell).collect();
                cells.iter().map(|cell| cell.trim_end()).collect::<Vec<_>>().join(", ") + "\n"
            };
            rows.iter().map(line).collect()
        }
        Block::Difference { pieces } => {
            let pieces: Vec<String> = pieces.iter().map(|piece| difference(piece, voice)).collect();
            labelled(&voice.say(&words::label_difference()), &pieces.join(", "))
        }
        Block::Tests { tests } => {
            let failed = tests.iter().filter(|test| test.verdict != Verdict::Accepted);
            let passed = tests.len() - failed.clone().count();
            let tally = words::tests_passed(passed, tests.len());
            let lines = [tally].into_iter().chain(failed.take(MAX_FAILED).map(failed_test));
            lines.map(|text| labelled(&voice.say(&words::label_tests()), &voice.say(&text))).collect()
        }
        Block::Steps { code, call, expected, trace, .. } => {
            let label = voice.say(&words::label_steps());
            let steps = trace.steps.iter().enumerate();
            let steps = steps.map(|(at, step)| steps::spoken(code, at + 1, step));
            let lines =
                [call.as_str().into()].into_iter().chain(steps).chain([steps::ending(trace, expected)]);
            lines.map(|text: Text| labelled(&label, &voice.say(&text))).collect()
        }
        Block::Marks { quality, found, missing } => {
            let label = voice.say(&words::label_coach());
            let found = found.iter().map(|found| words::found(&*found.words, &*found.idea));
            let missing = missing.iter().map(|idea| words::missing(idea.as_str()));
            let said = [words::mark(*quality)].into_iter().chain(found).chain(missing);
            said.map(|text| labelled(&label, &voice.say(&text))).collect()
        }
    }
}

/// Describes a failed test in words.
pub(super) fn failed_test(test: &TestRow) -> Text {
    let verdict = serde_json::json!(test.verdict);
    let place = test.difference.as_ref().and_then(|difference| difference.place.clone());
    words::test_failed(test.index + 1, verdict.as_str().unwrap_or_default(), place.unwrap_or_default())
}

fn spoken(line: &Line, voice: &Voice<'_>) -> String {
    let label = match line.role {
        Role::Word => words::label_word(),
        Role::Heading => words::label_heading(),
        Role::Explanation => words::label_explanation(),
        Role::Example => words::label_example(),
        Role::Scene => words::label_scene(),
        Role::Hint => words::label_say(),
        Role::Slow => words::label_slowly(),
        Role::Question => words::label_question(),
        Role::Note => words::label_note(),
        _ => words::label_coach(),
    };
    let means = line.means.as_ref().map(|means| marked(words::label_meaning(), means, voice));
    marked(label, &line.say, voice) + &means.unwrap_or_default()
}

/// Draws Markdown as labelled lines: one for every paragraph and every line of code.
fn marked(label: Text, text: &Text, voice: &Voice<'_>) -> String {
    let label = voice.say(&label);
    let lines_of = |code_label: fn() -> Text, lines: &[String]| -> String {
        lines.iter().map(|line| code(code_label(), line, voice)).collect()
    };
    let piece = |piece: &Piece| match piece {
        Piece::Heading(text) => labelled(&label, text),
        Piece::Paragraph(text) => labelled(&label, &unmarked(text)),
        Piece::Item { mark, text, .. } => labelled(&label, &format!("{mark} {}", unmarked(text))),
        Piece::Code(lines) => lines_of(words::label_code, lines),
        Piece::Output(lines) => lines_of(words::label_output, lines),
        Piece::Table(rows) => rows.iter().map(|row| labelled(&label, &row.join(", "))).collect(),
    };
    markdown::read(&voice.say(text)).iter().map(piece).collect()
}

/// Draws a line of code with its leading spaces.
fn code(label: Text, line: &str, voice: &Voice<'_>) -> String {
    let indent: String = line.chars().take_while(|c| *c == ' ').collect();
    labelled(&voice.say(&label), &format!("|{indent}{}", line.trim_start())).replacen('|', "", 1)
}

fn difference(piece: &text::Piece, voice: &Voice<'_>) -> String {
    match piece {
        text::Piece::Same { text } => text.clone(),
        text::Piece::Missing { text } => voice.say(&words::piece_missing(text.as_str())),
        text::Piece::Extra { text } => voice.say(&words::piece_extra(text.as_str())),
        text::Piece::Changed { expected, heard } => {
            voice.say(&words::piece_changed(expected.as_str(), heard.as_str()))
        }
    }
}
