//! The coach. Its lines come from the pack, its judgement from the matcher; it needs no model. Where one is
//! asked, what it invents is said only if it could be a line of the pack.

use super::data::{Asked, Data, Feedback};
use super::dialogue::{self, Dialogue};
use super::phrases::{Phrases, fill};
use super::repertoire::{Choice, Repertoire};
use super::shelf::Shelf;
use super::slow::slowly;
use super::{Event, required_usages};
use crate::ask::{ModelAnswer, ModelResult};
use crate::desk::{Line, Role};
use crate::learner::Status;
use crate::pack::Item;
use crate::rejected::Rejected;
use crate::text::{Heard, How, Match, Phrase, Piece};
use crate::turn::{At, Stage};
use flow::Name;
use serde_json::json;

/// From this many correct uses on, the learner answers without seeing the word.
pub(super) const UNAIDED_FROM: u32 = 2;
/// No more of an answer is repeated to the learner.
const MAX_REPEATED_CHARS: usize = 80;

/// The coach of one turn.
pub(super) struct Coach<'p> {
    shelf: &'p Shelf,
    phrases: &'static Phrases,
}

impl<'p> Coach<'p> {
    pub(super) fn new(shelf: &'p Shelf) -> Coach<'p> {
        Coach { shelf, phrases: Phrases::in_language(&shelf.pack.explained_in) }
    }

    /// Says the word. One that was learned before is only called to mind, so the other two steps of the
    /// introduction pass over it.
    pub(super) fn introduce(&self, data: &Data, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        if is_known(data) {
            say(stage, Role::Note, self.phrases.review, None);
        }
        say(stage, Role::Word, &item.text, Some(&item.meaning));
    }

    pub(super) fn explain(&self, data: &Data, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data).filter(|_| !is_known(data)) else { return };
        say(stage, Role::Explanation, &item.explain, None);
        if let Some(note) = &item.note {
            say(stage, Role::Note, note, None);
        }
    }

    pub(super) fn give_example(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data).filter(|_| !is_known(data)) else { return };
        match Repertoire::new(self.shelf, item, data).example() {
            Some(example) => say_dialogue(data, stage, Role::Example, example),
            None => {
                say(stage, Role::Example, &item.text, Some(&item.meaning));
                data.said_last.clear();
            }
        }
    }

    /// Asks for the word in a small dialogue: one from the pack, or one that a model is asked to invent.
    pub(super) fn prompt(&self, data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        self.nudge(data, at, stage);
        let is_unaided = at.counter("usage") >= UNAIDED_FROM;
        if data.asks_model() {
            let asked = data.begin_ask(is_unaided);
            stage.ask_model(&dialogue::ask(self.shelf, item, data, asked));
        } else {
            self.set_scene(data, is_unaided, stage);
        }
    }

    /// Goes on with what became of an ask: the model's dialogue, or without one a dialogue from the pack. A
    /// dialogue that may not be said is rejected, and so is the answer to any other ask.
    pub(super) fn go_on(
        &self,
        data: &mut Data,
        asked: Option<Asked>,
        answer: Option<ModelAnswer>,
        stage: &mut Stage<'_>,
    ) -> Result<(), Rejected> {
        if answer.as_ref().is_some_and(|answer| asked.is_none_or(|asked| asked.number != answer.ask)) {
            return Err(dialogue::answers_nothing());
        }
        let Some((asked, item)) = asked.zip(self.target(data)) else { return Ok(()) };
        match answer.map(|answer| answer.result) {
            Some(ModelResult::Reply(reply)) => {
                let dialogue = dialogue::judge(self.shelf, item, data, asked, &reply)?;
                self.play(data, item, dialogue, asked.is_unaided, stage);
            }
            Some(ModelResult::Failed(_)) | None => self.set_scene(data, asked.is_unaided, stage),
        }
        Ok(())
    }

    pub(super) fn repeat_slowly(&self, data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        let spoken = Repertoire::new(self.shelf, item, data).spoken();
        self.nudge(data, at, stage);
        say(stage, Role::Note, self.phrases.repeat, None);
        ask_with(
            data,
            stage,
            [line(Role::Slow, &slowly(&spoken, &self.shelf.pack.language), Some(&item.meaning))],
        );
        if let Some(word) = &mut data.target {
            word.is_remediated = true;
        }
    }

    /// Listens for the target in what was heard last, and says what came of it.
    pub(super) fn evaluate(&self, data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
        let text = std::mem::take(&mut data.heard);
        let heard = Heard::new(&text);
        let Some(item) = self.target(data).filter(|_| heard.is_attempt()) else {
            return self.pass_over(data, text, at, stage);
        };
        let result = item.target.hear(&heard);
        let translated = translated(item, &result).filter(|_| !data.voice);
        let result = match &translated {
            Some(_) => Match { matched: false, how: How::None, ..result },
            None => result,
        };
        self.count_learned(data, &heard);
        if let Some(word) = &mut data.target {
            word.attempt(stage.moment.now_us, &text, result.how);
        }
        match &translated {
            Some(said) => {
                let sentence = fill(self.phrases.translated, &[("heard", said), ("word", &item.text)]);
                say(stage, Role::Correction, &sentence, None);
            }
            None => self.comment(data, item, &text, &result, at, stage),
        }
        let event = if result.matched { Event::UsageCorrect } else { Event::UsageIncorrect };
        stage.raise(event, json!(result));
        data.feedback = Some(Feedback { heard: text, is_attempt: true, result });
    }

    /// Praise for a word that was learned; for a parked one only the promise that it comes back.
    pub(super) fn reinforce(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Some(last) = data.finished.last() else { return };
        let Some(item) = self.shelf.item(&last.id) else { return };
        let (role, sentences) = match last.status {
            Status::Learned => (Role::Praise, self.phrases.learned),
            Status::New | Status::Parked => (Role::Note, self.phrases.parked),
        };
        let sentence = data.vary(sentences, &stage.moment);
        say(stage, role, &fill(sentence, &[("word", &item.text)]), None);
    }

    pub(super) fn say_nothing_to_do(&self, stage: &mut Stage<'_>) {
        say(stage, Role::Note, self.phrases.nothing_to_do, None);
    }

    fn target(&self, data: &Data) -> Option<&'p Item> {
        data.target.as_ref().and_then(|word| self.shelf.item(&word.id))
    }

    /// Plays a dialogue of the pack.
    fn set_scene(&self, data: &mut Data, is_unaided: bool, stage: &mut Stage<'_>) {
        let Some((item, word)) = self.target(data).zip(data.target.as_ref()) else { return };
        let Some(choice) = Repertoire::new(self.shelf, item, data).cue(word, is_unaided) else {
            return;
        };
        let scene = line(Role::Scene, &choice.cue.scene, None);
        let opening = choice.opening.as_ref().map(|opening| opening.line);
        let opening = opening.map(|said| line(Role::Cue, &said.say, Some(&said.means)));
        ask_with(data, stage, std::iter::once(scene).chain(opening));
        data.said_last = choice.opening.map(|opening| opening.learned).unwrap_or_default();
        hint(item, is_unaided, stage);
        if let Some(word) = &mut data.target {
            word.count_cue(choice.index);
        }
    }

    /// Plays a dialogue of a model.
    fn play(&self, data: &mut Data, item: &Item, new: Dialogue, is_unaided: bool, stage: &mut Stage<'_>) {
        let opening = line(Role::Cue, &new.say, Some(&new.means));
        ask_with(data, stage, [line(Role::Scene, &new.scene, None), opening]);
        data.said_last = new.learned;
        hint(item, is_unaided, stage);
        if let Some(word) = &mut data.target {
            word.count_presentation();
        }
    }

    /// A kind word before the coach goes on after a silence.
    fn nudge(&self, data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
        if at.counter("silences") > 0 {
            let sentence = data.vary(self.phrases.nudge, &stage.moment);
            say(stage, Role::Note, sentence, None);
        }
    }

    /// Silence and noise are no attempt. A law that has no event for them counts them as a miss.
    fn pass_over(&self, data: &mut Data, heard: String, at: &At<'_>, stage: &mut Stage<'_>) {
        say(stage, Role::Correction, self.phrases.not_heard, None);
        let is_taken = at.takes(Event::NotAnAttempt.name());
        stage.raise(if is_taken { Event::NotAnAttempt } else { Event::UsageIncorrect }, json!({}));
        let result = Match { matched: false, how: How::None, difference: Vec::new() };
        data.feedback = Some(Feedback { heard, is_attempt: false, result });
    }

    /// Counts the learned items that the learner used on the way, so that the coach can prefer the others.
    fn count_learned(&self, data: &mut Data, heard: &Heard) {
        let ids = data.pool.iter().map(|pooled| &pooled.id);
        let ids: Vec<String> = ids.filter(|id| self.shelf.is_said(id, heard)).cloned().collect();
        ids.iter().for_each(|id| data.count_use(id));
    }

    fn comment(
        &self,
        data: &mut Data,
        item: &Item,
        heard: &str,
        result: &Match,
        at: &At<'_>,
        stage: &mut Stage<'_>,
    ) {
        let is_last = at.counter("usage") + 1 >= required_usages(at);
        match result.how {
            How::Fuzzy => {
                let (expected, heard) = both_sides(&result.difference);
                self.correct(&expected, &heard, stage);
            }
            // Who speaks was misheard, but who types has written it that way.
            How::Alias if !data.voice => self.correct(&item.text, &beginning(heard), stage),
            // The last use that was needed is praised as the end of the word.
            How::Surface | How::Alias if is_last => {}
            How::Surface | How::Alias => {
                let praise = data.vary(self.phrases.praise, &stage.moment);
                say(stage, Role::Praise, praise, None);
            }
            How::None => {
                let has_part = result
                    .difference
                    .iter()
                    .any(|piece| matches!(piece, Piece::Same { .. } | Piece::Changed { .. }));
                let sentence = if has_part { self.phrases.near_miss } else { self.phrases.miss };
                say(stage, Role::Correction, &fill(sentence, &[("word", &item.text)]), None);
            }
        }
    }

    /// Accepts an answer and shows how it should have been.
    fn correct(&self, expected: &str, heard: &str, stage: &mut Stage<'_>) {
        let sentence = fill(self.phrases.close, &[("expected", expected), ("heard", heard)]);
        say(stage, Role::Correction, &sentence, None);
    }
}

fn is_known(data: &Data) -> bool {
    data.target.as_ref().is_some_and(|word| word.item.status == Status::Learned)
}

fn say(stage: &mut Stage<'_>, role: Role, text: &str, means: Option<&str>) {
    stage.say(line(role, text, means));
}

fn line(role: Role, text: &str, means: Option<&str>) -> Line {
    Line { say: text.into(), means: means.map(Into::into), role }
}

/// Says the lines that the learner is to answer, and keeps them for a learner who comes back to them.
fn ask_with(data: &mut Data, stage: &mut Stage<'_>, lines: impl IntoIterator<Item = Line>) {
    data.last_cue = lines.into_iter().collect();
    data.last_cue.iter().for_each(|line| stage.say(line.clone()));
}

/// The word itself is shown until it has been used twice.
fn hint(item: &Item, is_unaided: bool, stage: &mut Stage<'_>) {
    if !is_unaided {
        say(stage, Role::Hint, &item.text, Some(&item.meaning));
    }
}

fn say_dialogue(data: &mut Data, stage: &mut Stage<'_>, role: Role, choice: Choice<'_>) {
    say(stage, role, &choice.line.say, Some(&choice.line.means));
    data.said_last = choice.learned;
}

/// As much of an utterance as is worth repeating.
fn beginning(heard: &str) -> String {
    let heard = heard.trim();
    match heard.char_indices().nth(MAX_REPEATED_CHARS) {
        Some((end, _)) => format!("{}…", &heard[..end]),
        None => heard.to_owned(),
    }
}

/// The word of the learner's own language that was typed where one of the target would have been forgiven: "hello" is no slip
/// in "Hallo". Who speaks may have been misheard, though.
fn translated(item: &Item, result: &Match) -> Option<String> {
    let meaning = Heard::new(&item.meaning);
    let is_meaning = |said: &str| Phrase::new(said).is_some_and(|said| meaning.words().contains(&said));
    result.difference.iter().filter(|_| result.how == How::Fuzzy).find_map(|piece| match piece {
        Piece::Changed { heard, .. } => is_meaning(heard).then(|| heard.clone()),
        Piece::Same { .. } | Piece::Missing { .. } | Piece::Extra { .. } => None,
    })
}

/// A difference as two texts: what should have been said and what was.
fn both_sides(difference: &[Piece]) -> (String, String) {
    let (mut expected, mut said) = (Vec::new(), Vec::new());
    for piece in difference {
        match piece {
            Piece::Same { text } => {
                expected.push(text.as_str());
                said.push(text.as_str());
            }
            Piece::Missing { text } => expected.push(text),
            Piece::Extra { text } => said.push(text),
            Piece::Changed { expected: right, heard } => {
                expected.push(right);
                said.push(heard);
            }
        }
    }
    (expected.join(" "), said.join(" "))
}
