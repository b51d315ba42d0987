//! Chooses the items to show, and their order. [`pretty`](super::pretty) and [`plain`](super::plain) decide how
//! they look.

use crate::cli::words;
use coaching::desk::{Ask, Block, Desk, Form, Line, Progress, Role};
use coaching::learner::Quality;
use coaching::words::Text;

/// One thing to show, with its texts.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// The title of a sitting.
    Title(Text),
    /// A message of the program itself.
    Note(Text),
    /// The possible actions when nothing is asked.
    Prompt(Text),
    Block(Block),
    /// The outcome of an answer. Without a sign it continues the item above.
    Feedback(Line, Option<Sign>),
    Ask(Ask),
    /// One step of a block of steps.
    Step(Block, usize),
    Progress(Vec<Progress>),
    List {
        title: Text,
        entries: Vec<(String, Text)>,
    },
}

/// The quality of an answer, as a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Good,
    Partly,
    Wrong,
}

impl Sign {
    fn of(quality: u8) -> Sign {
        match quality {
            0..PARTLY => Sign::Wrong,
            _ if quality < Quality::GOOD.get() => Sign::Partly,
            _ => Sign::Good,
        }
    }
}

/// The lowest mark of a partly right answer.
const PARTLY: u8 = 2;

/// Lists the items of a turn: the lines said in it, and the news on the desk. `before` is the desk as the
/// learner last saw it.
pub(super) fn turn(said: &[Line], before: Option<&Desk>, desk: &Desk) -> Vec<Item> {
    let asks = desk.ask.as_ref().is_some_and(|ask| !ask.question.is_empty());
    let said: Vec<&Line> = said.iter().filter(|line| !asks || line.role != Role::Question).collect();
    let is_said =
        |block: &Block| text_of(block).is_some_and(|text| said.iter().any(|line| line.say == *text));
    let last_said = desk.blocks.iter().rposition(is_said).unwrap_or(usize::MAX);
    // A block below a line that was just said belongs to that line.
    let is_fresh = |(at, block): &(usize, &Block)| {
        let was_there = before.is_some_and(|before| before.blocks.contains(block));
        !is_said(block) && (!was_there || *at > last_said)
    };
    let fresh = desk.blocks.iter().enumerate().filter(is_fresh).map(|(_, block)| block);
    let fresh = fresh.filter(|block| !is_mark(block, desk));
    let (differences, fresh): (Vec<&Block>, Vec<&Block>) =
        fresh.partition(|block| matches!(block, Block::Difference { .. }));
    let has_moved = before.is_none_or(|before| before.progress != desk.progress);
    let mut items: Vec<Item> = Vec::new();
    for line in &said {
        let item = spoken(line, desk, has_moved, items.last());
        items.push(item);
    }
    let verdict = said.iter().rposition(|line| is_verdict(line.role));
    let place = verdict.map_or(0, |verdict| verdict + 1);
    items.splice(place..place, differences.into_iter().cloned().map(Item::Block));
    items.extend(fresh.into_iter().map(|block| shown(block, desk)));
    items.extend(progress(desk).filter(|_| has_moved));
    // The lines of this turn have already said that the flow waits.
    let is_known = !said.is_empty() || before.is_some_and(|before| before.ask == desk.ask);
    let is_told = |ask: &&Ask| is_known && matches!(ask.form, Form::Wait { .. });
    items.extend(desk.ask.as_ref().filter(|ask| !is_told(ask)).cloned().map(Item::Ask));
    items
}

/// Lists the items of the whole desk, without those about the last answer.
pub(super) fn whole(desk: &Desk) -> Vec<Item> {
    let is_past = |block: &&Block| is_mark(block, desk) || matches!(block, Block::Difference { .. });
    let blocks = desk.blocks.iter().filter(|block| !is_past(block)).map(|block| shown(block, desk));
    blocks.chain(progress(desk)).chain(desk.ask.clone().map(Item::Ask)).collect()
}

/// Returns the desk's blocks on how the last answer was marked.
pub(super) fn marks(desk: &Desk) -> Vec<Block> {
    desk.blocks.iter().filter(|block| is_mark(block, desk)).cloned().collect()
}

/// Returns a turn's feedback on the answer.
pub(super) fn verdict(said: &[Line], desk: &Desk) -> Vec<Block> {
    let lines = said.iter().filter(|line| is_verdict(line.role)).cloned().map(Block::Line);
    let differences = desk.blocks.iter().filter(|block| matches!(block, Block::Difference { .. })).cloned();
    let lines: Vec<Block> = lines.collect();
    if lines.is_empty() { lines } else { lines.into_iter().chain(differences).collect() }
}

/// Explains the last mark, or repeats the feedback if there is none. Feedback already says what is missing, so
/// it replaces that list.
pub(super) fn why(desk: &Desk, verdict: &[Block]) -> Vec<Item> {
    let marks = marks(desk);
    let has_feedback = marks.iter().any(|block| matches!(block, Block::Line(_)));
    let shown = |block: &Block| match block {
        Block::Marks { quality, found, .. } if has_feedback => {
            Item::Block(Block::Marks { quality: *quality, found: found.clone(), missing: Vec::new() })
        }
        Block::Line(line) => Item::Feedback(line.clone(), None),
        _ => Item::Block(block.clone()),
    };
    match (marks.as_slice(), verdict) {
        ([], []) => vec![Item::Note(words::no_mark())],
        ([], verdict) => verdict.iter().cloned().map(Item::Block).collect(),
        (marks, _) => marks.iter().map(shown).collect(),
    }
}

/// Returns a hint on how to type an answer, for forms that need one.
pub(super) fn how_to_answer(form: &Form) -> Option<Text> {
    match form {
        Form::Order { options } => {
            // The example uses labels that do not exist: real ones might give the solution away.
            let has_letters = options.iter().any(|option| option.label.starts_with(char::is_alphabetic));
            Some(words::answer_in_order(if has_letters { "x z y" } else { "97 99 98" }))
        }
        Form::Gaps { gaps: 2.. } => Some(words::answer_with_commas()),
        _ => None,
    }
}

/// Returns the index at which the items about the last mark end. The next concept or question begins something else.
pub(super) fn end_of_mark(items: &[Item]) -> usize {
    let begins = |item: &Item| match item {
        Item::Block(Block::Line(line)) => line.role == Role::Heading,
        item => matches!(item, Item::Progress(_) | Item::Ask(_)),
    };
    let mark = items.iter().rposition(|item| matches!(item, Item::Feedback(..))).map_or(0, |at| at + 1);
    items[mark..].iter().position(begins).map_or(items.len(), |at| mark + at)
}

/// Returns the progress while the flow continues; afterwards it no longer matters.
fn progress(desk: &Desk) -> Option<Item> {
    (desk.ask.is_some() && !desk.progress.is_empty()).then(|| Item::Progress(desk.progress.clone()))
}

fn shown(block: &Block, desk: &Desk) -> Item {
    match block {
        Block::Line(line) => spoken(line, desk, true, None),
        _ => Item::Block(block.clone()),
    }
}

/// Returns the item for a line that follows another. A corrected answer that brings no progress did not count.
fn spoken(line: &Line, desk: &Desk, has_moved: bool, before: Option<&Item>) -> Item {
    let sign = desk.blocks.iter().find_map(|block| match block {
        Block::Marks { quality, .. } => Some(Sign::of(*quality)),
        _ => None,
    });
    let is_praised = matches!(
        before,
        Some(Item::Block(Block::Line(Line { role: Role::Praise, .. })) | Item::Feedback(_, None))
    );
    match (line.role, sign) {
        (Role::Feedback, Some(_)) if is_praised => Item::Feedback(line.clone(), None),
        (Role::Feedback, Some(sign)) => Item::Feedback(line.clone(), Some(sign)),
        (Role::Correction, _) if !has_moved => Item::Feedback(line.clone(), Some(Sign::Wrong)),
        _ => Item::Block(Block::Line(line.clone())),
    }
}

fn is_verdict(role: Role) -> bool {
    matches!(role, Role::Praise | Role::Correction | Role::Feedback)
}

/// Whether a block explains the last mark, which is shown only on request.
fn is_mark(block: &Block, desk: &Desk) -> bool {
    let is_marks = |block: &Block| matches!(block, Block::Marks { .. });
    let is_verdict = matches!(block, Block::Line(line) if is_verdict(line.role));
    is_marks(block) || is_verdict && desk.blocks.iter().any(is_marks)
}

fn text_of(block: &Block) -> Option<&Text> {
    match block {
        Block::Line(line) => Some(&line.say),
        Block::Text { text } => Some(text),
        _ => None,
    }
}
