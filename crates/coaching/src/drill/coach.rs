//! The coach. Its lines come from the pack and its judgement from the matcher, so it needs no model. What a model
//! invents is said only if it could be a line of the pack.

use super::data::{Asked, Data, Feedback};
use super::dialogue::{self, Dialogue};
use super::primer::Primer;
use super::repertoire::Repertoire;
use super::slow::slowly;
use super::{Event, is_unaided, words};
use crate::ask::{ModelAnswer, ModelResult};
use crate::desk::{Line, Role};
use crate::pack::Item;
use crate::rejected::Rejected;
use crate::text::{Heard, How, Match, Phrase, Piece};
use crate::turn::{At, Stage};
use crate::words::Text;
use flow::Name;
use serde_json::json;

/// How much of an answer is repeated to the learner.
const MAX_REPEATED_CHARS: usize = 80;

/// The coach of one turn, with the pack that it teaches from.
pub(super) struct Coach<'p>(pub &'p Primer);

impl<'p> Coach<'p> {
    pub(super) fn introduce(&self, data: &Data, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        stage.say(Line::new(Role::Word, &item.text).meaning(&item.meaning));
    }

    /// Reminds the learner of a word from before.
    pub(super) fn remind(&self, data: &Data, stage: &mut Stage<'_>) {
        stage.tell(Role::Note, words::review());
        self.introduce(data, stage);
    }

    pub(super) fn explain(&self, data: &Data, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        stage.tell(Role::Explanation, &item.explain);
        if let Some(note) = &item.note {
            stage.tell(Role::Note, note);
        }
    }

    pub(super) fn give_example(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        let example = Repertoire::new(self.0, item, data).example();
        let (say, means) =
            example.as_ref().map_or((&item.text, &item.meaning), |it| (&it.line.say, &it.line.means));
        stage.say(Line::new(Role::Example, say).meaning(means));
        data.said_last = example.map(|example| example.learned).unwrap_or_default();
    }

    /// Asks for the word in a small dialogue: one from the pack, or one that a model is asked to invent.
    pub(super) fn prompt(&self, data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        if data.asks_model() {
            let asked = data.begin_ask(is_unaided(at));
            stage.ask_model(&dialogue::ask(self.0, item, data, asked));
        } else {
            self.set_scene(data, is_unaided(at), stage);
        }
    }

    /// Plays the model's dialogue, or one from the pack if the model has none. Rejects a dialogue that must not be said,
    /// and the answer to any other question.
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
                let dialogue = dialogue::judge(self.0, item, data, asked, &reply)?;
                self.play(data, item, dialogue, asked.is_unaided, stage);
            }
            Some(ModelResult::Failed(_)) | None => self.set_scene(data, asked.is_unaided, stage),
        }
        Ok(())
    }

    pub(super) fn repeat_slowly(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        let spoken = Repertoire::new(self.0, item, data).spoken();
        stage.tell(Role::Note, words::slowly());
        ask_with(
            data,
            stage,
            [Line::new(Role::Slow, slowly(&spoken, &self.0.pack.language)).meaning(&item.meaning)],
        );
        if let Some(word) = &mut data.target {
            word.is_remediated = true;
        }
    }

    /// Listens for the target in the last answer, and corrects mistakes.
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
        let correction = match &translated {
            Some(said) => Some(words::translated(said, &item.text)),
            None => correction(data.voice, item, &text, &result),
        };
        if let Some(correction) = correction {
            stage.tell(Role::Correction, correction);
        }
        let event = if result.matched { Event::UsageCorrect } else { Event::UsageIncorrect };
        stage.raise(event, json!(result));
        data.feedback = Some(Feedback { heard: text, is_attempt: true, result });
    }

    /// Praise for a use after which the word is asked for again. A use that was corrected needs none.
    pub(super) fn praise_use(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let how = data.feedback.as_ref().map(|feedback| feedback.result.how);
        if how == Some(How::Surface) || how == Some(How::Alias) && data.voice {
            stage.tell(Role::Praise, words::praise(data.draw(words::PRAISES, &stage.moment)));
        }
    }

    /// Praise for a word that was learned.
    pub(super) fn reinforce(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Some(word) = self.finished(data) else { return };
        stage.tell(Role::Praise, words::learned(data.draw(words::ENDS, &stage.moment), word));
    }

    /// A word was put aside; it will come back.
    pub(super) fn promise_return(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Some(word) = self.finished(data) else { return };
        stage.tell(Role::Note, words::parked(data.draw(words::PROMISES, &stage.moment), word));
    }

    /// A kind word after a silence.
    pub(super) fn nudge(&self, data: &mut Data, stage: &mut Stage<'_>) {
        stage.tell(Role::Note, words::nudge(data.draw(words::NUDGES, &stage.moment)));
    }

    /// The word that was finished last.
    fn finished(&self, data: &Data) -> Option<&'p String> {
        self.0.item(&data.finished.last()?.id).map(|item| &item.text)
    }

    fn target(&self, data: &Data) -> Option<&'p Item> {
        data.target.as_ref().and_then(|word| self.0.item(&word.id))
    }

    /// Plays a dialogue of the pack.
    fn set_scene(&self, data: &mut Data, is_unaided: bool, stage: &mut Stage<'_>) {
        let Some((item, word)) = self.target(data).zip(data.target.as_ref()) else { return };
        let Some(choice) = Repertoire::new(self.0, item, data).cue(word, is_unaided) else {
            return;
        };
        let scene = Line::new(Role::Scene, &choice.cue.scene);
        let opening = choice.opening.as_ref().map(|opening| opening.line);
        let opening = opening.map(|said| Line::new(Role::Cue, &said.say).meaning(&said.means));
        ask_with(data, stage, std::iter::once(scene).chain(opening));
        data.said_last = choice.opening.map(|opening| opening.learned).unwrap_or_default();
        hint(item, is_unaided, stage);
        if let Some(word) = &mut data.target {
            word.count_cue(choice.index);
        }
    }

    /// Plays a dialogue of a model.
    fn play(&self, data: &mut Data, item: &Item, new: Dialogue, is_unaided: bool, stage: &mut Stage<'_>) {
        let opening = Line::new(Role::Cue, new.say).meaning(new.means);
        ask_with(data, stage, [Line::new(Role::Scene, new.scene), opening]);
        data.said_last = new.learned;
        hint(item, is_unaided, stage);
        if let Some(word) = &mut data.target {
            word.count_presentation();
        }
    }

    /// Noise is not an attempt. If the law has no event for it, it counts as a miss.
    fn pass_over(&self, data: &mut Data, heard: String, at: &At<'_>, stage: &mut Stage<'_>) {
        stage.tell(Role::Correction, words::not_heard());
        let is_taken = at.takes(Event::NotAnAttempt.name());
        stage.raise(if is_taken { Event::NotAnAttempt } else { Event::UsageIncorrect }, json!({}));
        let result = Match { matched: false, how: How::None, difference: Vec::new() };
        data.feedback = Some(Feedback { heard, is_attempt: false, result });
    }

    /// Counts the learned items in an answer, so that the coach can prefer the others.
    fn count_learned(&self, data: &mut Data, heard: &Heard) {
        let ids = data.pool.iter().map(|pooled| &pooled.id);
        let ids: Vec<String> = ids.filter(|id| self.0.is_said(id, heard)).cloned().collect();
        ids.iter().for_each(|id| data.count_use(id));
    }
}

/// What to say about an answer that was not quite right, or not at all.
fn correction(voice: bool, item: &Item, heard: &str, result: &Match) -> Option<Text> {
    match result.how {
        How::Fuzzy => {
            let (expected, heard) = both_sides(&result.difference);
            Some(words::close(expected, heard))
        }
        // A speaker may have been misheard; a writer has written it that way.
        How::Alias if !voice => Some(words::close(&item.text, beginning(heard))),
        How::Surface | How::Alias => None,
        How::None if is_near(&result.difference) => Some(words::near_miss(&item.text)),
        How::None => Some(words::miss(&item.text)),
    }
}

/// Whether an answer had something of the word in it.
pub(super) fn is_near(difference: &[Piece]) -> bool {
    difference.iter().any(|piece| matches!(piece, Piece::Same { .. } | Piece::Changed { .. }))
}

/// Says the lines that the learner should answer, and keeps them for a later return.
fn ask_with(data: &mut Data, stage: &mut Stage<'_>, lines: impl IntoIterator<Item = Line>) {
    data.last_cue = lines.into_iter().collect();
    data.last_cue.iter().for_each(|line| stage.say(line.clone()));
}

fn hint(item: &Item, is_unaided: bool, stage: &mut Stage<'_>) {
    if !is_unaided {
        stage.say(hint_line(item));
    }
}

pub(super) fn hint_line(item: &Item) -> Line {
    Line::new(Role::Hint, &item.text).meaning(&item.meaning)
}

/// As much of an utterance as is worth repeating.
fn beginning(heard: &str) -> String {
    let heard = heard.trim();
    match heard.char_indices().nth(MAX_REPEATED_CHARS) {
        Some((end, _)) => format!("{}…", &heard[..end]),
        None => heard.to_owned(),
    }
}

/// The learner's own word for the meaning, where the matcher took it for a slip: "hello" is not a misspelt "Hallo".
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
