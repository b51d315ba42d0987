//! Recognises utterances that are no answers: learners do not know, or want to go on, stop, or get help.

use crate::text::Words;
use std::sync::LazyLock;

const LISTS: &str = include_str!("ways_out.txt");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WayOut {
    GiveUp,
    Skip,
    Stop,
    Help,
    Meaning,
}

/// Returns what an utterance asks for, if it says nothing else. A learner may mix languages, so every language is
/// understood.
pub(super) fn asked_for(utterance: &str) -> Option<WayOut> {
    let is_question_mark = utterance.contains('?') && utterance.trim().chars().all(|c| c == '?');
    if is_question_mark {
        return Some(WayOut::Help);
    }
    let said = folded(utterance);
    WAYS.iter().find(|(_, words)| *words == said).map(|(way, _)| *way)
}

static WAYS: LazyLock<Vec<(WayOut, String)>> =
    LazyLock::new(|| LISTS.lines().filter_map(line).flatten().collect());

/// Reads a line `WAY LANGUAGE: WORDS, WORDS`.
fn line(line: &'static str) -> Option<impl Iterator<Item = (WayOut, String)>> {
    let (head, lists) = line.split_once(": ")?;
    let way = match head.split(' ').next()? {
        "give_up" => WayOut::GiveUp,
        "skip" => WayOut::Skip,
        "stop" => WayOut::Stop,
        "help" => WayOut::Help,
        "meaning" => WayOut::Meaning,
        _ => return None,
    };
    Some(lists.split(", ").map(move |words| (way, folded(words))))
}

fn folded(text: &str) -> String {
    Words::new(text).iter().map(|(_, letters)| letters).collect::<Vec<_>>().join(" ")
}
