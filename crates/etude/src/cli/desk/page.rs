//! What is shown, in which order. How it looks is for [`pretty`](super::pretty) and [`plain`](super::plain).

use crate::cli::words;
use coaching::desk::{Ask, Block, Desk, Form, Line, Progress, Role};
use coaching::words::Text;

/// One thing to show. Its texts are in the learner's language.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// What a sitting is about.
    Title(Text),
    /// The program itself speaks.
    Note(Text),
    /// What can be done where nothing is asked.
    Prompt(Text),
    Block(Block),
    /// What came of an answer, which was marked from 0 to 5.
    Feedback(Line, u8),
    Ask(Ask),
    Progress(Vec<Progress>),
    List {
        title: Text,
        entries: Vec<(String, Text)>,
    },
}

/// What was said in a turn and what is new on the desk after it. `before` is the desk that the learner has seen last.
pub(super) fn turn(said: &[Line], before: Option<&Desk>, desk: &Desk) -> Vec<Item> {
    let asks = desk.ask.as_ref().is_some_and(|ask| !ask.question.is_empty());
    let said: Vec<&Line> = said.iter().filter(|line| !asks || line.role != Role::Question).collect();
    let is_said =
        |block: &Block| text_of(block).is_some_and(|text| said.iter().any(|line| line.say == *text));
    let last_said = desk.blocks.iter().rposition(is_said).unwrap_or(usize::MAX);
    // What follows on the desk after something that was just said belongs to it.
    let is_fresh = |(at, block): &(usize, &Block)| {
        let was_there = before.is_some_and(|before| before.blocks.contains(block));
        !is_said(block) && (!was_there || *at > last_said)
    };
    let fresh = desk.blocks.iter().enumerate().filter(is_fresh).map(|(_, block)| block);
    let (notes, fresh): (Vec<&Block>, Vec<&Block>) = fresh.partition(|block| is_about_answer(block));
    let has_moved = before.is_none_or(|before| before.progress != desk.progress);
    let mut items: Vec<Item> = said.iter().map(|line| spoken(line, desk, has_moved)).collect();
    let verdict = said.iter().rposition(|line| is_verdict(line.role));
    let place = verdict.map_or(0, |verdict| verdict + 1);
    items.splice(place..place, notes.into_iter().filter(|block| !is_marks(block)).cloned().map(Item::Block));
    items.extend(fresh.into_iter().map(|block| shown(block, desk)));
    if has_moved {
        items.extend(progress(desk));
    }
    items.extend(desk.ask.clone().map(Item::Ask));
    items
}

/// The whole desk.
pub(super) fn whole(desk: &Desk) -> Vec<Item> {
    let blocks = desk.blocks.iter().filter(|block| !is_marks(block)).map(|block| shown(block, desk));
    blocks.chain(progress(desk)).chain(desk.ask.clone().map(Item::Ask)).collect()
}

/// How the last answer was marked.
pub(super) fn why(desk: &Desk) -> Item {
    match desk.blocks.iter().find(|block| is_marks(block)) {
        Some(marks) => Item::Block(marks.clone()),
        None => Item::Note(words::no_mark()),
    }
}

/// In which form an answer is read best, where that is not plain.
pub(super) fn how_to_answer(form: &Form) -> Option<Text> {
    match form {
        Form::Order { options } => {
            // Labels that are not there: an order of those that are might be the right one.
            let has_letters = options.iter().any(|option| option.label.starts_with(char::is_alphabetic));
            Some(words::answer_in_order(if has_letters { "x z y" } else { "97 99 98" }))
        }
        Form::Gaps { gaps: 2.. } => Some(words::answer_with_commas()),
        _ => None,
    }
}

/// How far it is matters to somebody who goes on.
fn progress(desk: &Desk) -> Option<Item> {
    (desk.ask.is_some() && !desk.progress.is_empty()).then(|| Item::Progress(desk.progress.clone()))
}

fn shown(block: &Block, desk: &Desk) -> Item {
    match block {
        Block::Line(line) => spoken(line, desk, true),
        _ => Item::Block(block.clone()),
    }
}

/// An answer that is corrected and brings nothing forward did not count.
fn spoken(line: &Line, desk: &Desk, has_moved: bool) -> Item {
    let marks = desk.blocks.iter().find_map(|block| match block {
        Block::Marks { quality, .. } => Some(*quality),
        _ => None,
    });
    match (line.role, marks) {
        (Role::Feedback, Some(quality)) => Item::Feedback(line.clone(), quality),
        (Role::Correction, _) if !has_moved => Item::Feedback(line.clone(), 0),
        _ => Item::Block(Block::Line(line.clone())),
    }
}

fn is_verdict(role: Role) -> bool {
    matches!(role, Role::Praise | Role::Correction | Role::Feedback)
}

fn is_about_answer(block: &Block) -> bool {
    matches!(block, Block::Difference { .. } | Block::Marks { .. })
}

fn is_marks(block: &Block) -> bool {
    matches!(block, Block::Marks { .. })
}

fn text_of(block: &Block) -> Option<&Text> {
    match block {
        Block::Line(line) => Some(&line.say),
        Block::Text { text } => Some(text),
        _ => None,
    }
}
