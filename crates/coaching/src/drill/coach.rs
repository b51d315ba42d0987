//! The coach of a drill. Its lines come from the pack and its judgement from the matcher, so it needs no model. It
//! says a model's line only if the pack could contain that line.

use super::cue::first_letters;
use super::data::{Aid, Asked, Data, Feedback};
use super::dialogue::{self, Dialogue};
use super::primer::Primer;
use super::repertoire::{Example, Repertoire};
use super::slow::slowly;
use super::ways_out::{self, WayOut};
use super::{AT_ONCE_SECONDS, CUED_FROM, Event, UNAIDED_FROM, USAGE, words};
use crate::ask::{ModelAnswer, ModelResult};
use crate::desk::{Line, Role};
use crate::pack::{Filler, Item};
use crate::rejected::Rejected;
use crate::text::{Heard, How, Match, Phrase, Piece, WordSet};
use crate::turn::{At, Stage};
use crate::words::Text;
use serde_json::json;

/// The coach of one turn, with the pack that it teaches from.
pub(super) struct Coach<'p>(pub &'p Primer);

impl<'p> Coach<'p> {
    pub(super) fn introduce(&self, data: &Data, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        stage.say(Line::new(Role::Word, &item.text).meaning(&item.meaning));
    }

    /// Announces a word that was learned earlier, without naming it.
    pub(super) fn remind(&self, stage: &mut Stage<'_>) {
        stage.tell(Role::Note, words::review());
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
        if let Some(Example { line, learned }) = example {
            stage.say(Line::new(Role::Example, &line.say).meaning(&line.means));
            data.said_last = learned;
        }
    }

    /// Asks for the word in a small dialogue, and shows as much of it as its number of uses allows.
    pub(super) fn prompt(&self, data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
        self.ask_for(data, aid(at), stage);
    }

    /// Asks for the word from memory: shows the meaning and a scene, and nothing else.
    pub(super) fn ask_recall(&self, data: &mut Data, stage: &mut Stage<'_>) {
        self.ask_for(data, Aid::Nothing, stage);
    }

    /// Asks for the word in a dialogue: one from the pack, or one that a model is asked to invent.
    fn ask_for(&self, data: &mut Data, aid: Aid, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        data.aid = Some(aid);
        if data.asks_model() {
            let asked = data.begin_ask(aid != Aid::Word, stage.moment.now_us);
            stage.ask_model(&dialogue::ask(self.0, item, data, asked));
        } else {
            self.set_scene(data, stage);
        }
    }

    /// Shows how the word begins.
    pub(super) fn give_cue(&self, data: &mut Data, stage: &mut Stage<'_>) {
        data.aid = Some(Aid::Cue);
        self.show_aid(data, stage);
    }

    /// Shows the word to a learner who does not know it.
    pub(super) fn show_word(&self, data: &mut Data, stage: &mut Stage<'_>) {
        data.aid = Some(Aid::Word);
        self.show_aid(data, stage);
    }

    /// Tells the learner the word that they did not recall.
    pub(super) fn tell_word(&self, data: &Data, stage: &mut Stage<'_>) {
        self.introduce(data, stage);
        self.explain(data, stage);
    }

    /// Plays the model's dialogue, or one from the pack if the model has none. Rejects a dialogue that must not be
    /// said, and the answer to any question but the one that was asked.
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
                self.play(data, dialogue, stage);
            }
            Some(ModelResult::Failed(_)) => {
                if data.has_waited(asked, stage.moment.now_us) {
                    data.model = false;
                    stage.tell(Role::Note, words::model_is_silent());
                }
                self.set_scene(data, stage);
            }
            None => self.set_scene(data, stage),
        }
        Ok(())
    }

    pub(super) fn repeat_slowly(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        let spoken = Repertoire::new(self.0, item, data).spoken();
        stage.tell(Role::Note, words::slowly());
        let slow = Line::new(Role::Slow, slowly(&spoken, &self.0.pack.language)).meaning(&item.meaning);
        ask_with(data, stage, [slow]);
        data.aid = Some(Aid::Word);
        if let Some(word) = &mut data.target {
            word.is_remediated = true;
        }
    }

    /// Listens for the target in the last answer, and corrects mistakes.
    pub(super) fn evaluate(&self, data: &mut Data, at: &At<'_>, stage: &mut Stage<'_>) {
        let text = std::mem::take(&mut data.heard);
        let heard = if data.is_spoken { Heard::spoken(&text) } else { Heard::new(&text) };
        let Some(item) = self.target(data) else { return self.pass_over(data, text, at, stage) };
        let result = self.0.pack.judge(item, &heard);
        let way = ways_out::asked_for(&text).filter(|_| !result.matched && !is_part_of(item, &heard));
        if let Some(way) = way {
            return self.let_out(data, item, (way, text), at, stage);
        }
        if !heard.is_attempt() {
            return self.pass_over(data, text, at, stage);
        }
        if result.how == How::Unchecked {
            let line = data.answer.clone().or(result.right.clone()).unwrap_or_else(|| item.text.clone());
            stage.tell(Role::Correction, words::unchecked(line));
            raise_first(&[Event::NotAnAttempt, Event::UsageIncorrect], at, stage);
            data.feedback = Some(Feedback::without_attempt(text, result));
            return;
        }
        self.mark(data, item, (&heard, &text), result, at, stage);
    }

    /// Counts an answer as a use or as a miss, and says what was wrong with it.
    fn mark(
        &self,
        data: &mut Data,
        item: &Item,
        (heard, text): (&Heard, &str),
        result: Match,
        at: &At<'_>,
        stage: &mut Stage<'_>,
    ) {
        let translated = translated(item, &result).filter(|_| !data.is_spoken);
        let result = match &translated {
            Some(_) => Match { matched: false, how: How::None, ..result },
            None => result,
        };
        self.count_learned(data, heard);
        data.note_pace(text, result.how, at.number(AT_ONCE_SECONDS), stage.moment.now_us);
        if let Some(word) = &mut data.target {
            word.attempt(stage.moment.now_us, text, result.how);
        }
        let correction = match &translated {
            Some(said) => Some(words::translated(said, &item.text)),
            None => correction(item, data.answer.as_deref(), &result),
        };
        if let Some(correction) = correction {
            stage.tell(Role::Correction, correction);
        }
        if result.is_other_way {
            stage.tell(Role::Note, words::right_too(&item.text));
        }
        let elsewhere = data.answer.as_deref().filter(|_| result.how == How::Surface);
        let elsewhere = elsewhere.filter(|answer| asks_for_another(item, &data.last_cue, answer, heard));
        let is_beside = elsewhere.is_some();
        if let Some(answer) = elsewhere {
            stage.tell(Role::Note, words::beside_scene(answer));
        }
        let event = if result.matched { Event::UsageCorrect } else { Event::UsageIncorrect };
        stage.raise(event, json!(result));
        data.feedback = Some(Feedback { heard: text.to_owned(), is_attempt: true, is_beside, result });
    }

    /// Follows a learner who gives up, skips, stops, wants help or asks for the meaning instead of answering. That is
    /// not an attempt.
    fn let_out(
        &self,
        data: &mut Data,
        item: &Item,
        (way, heard): (WayOut, String),
        at: &At<'_>,
        stage: &mut Stage<'_>,
    ) {
        let event = match way {
            WayOut::GiveUp => Event::GaveUp,
            WayOut::Skip => Event::Skip,
            WayOut::Stop => Event::Leave,
            WayOut::Help => {
                stage.tell(Role::Note, words::help());
                Event::NotAnAttempt
            }
            WayOut::Meaning => {
                stage.tell(Role::Note, words::meaning(&item.meaning));
                Event::NotAnAttempt
            }
        };
        raise_first(&[event, Event::NotAnAttempt, Event::UsageIncorrect], at, stage);
        data.feedback = Some(Feedback::without_attempt(heard, Match::new(How::None, Vec::new())));
    }

    /// Praises a use after which the word is asked for again.
    pub(super) fn praise_use(&self, data: &mut Data, stage: &mut Stage<'_>) {
        stage.tell(Role::Praise, words::praise(data.draw(words::PRAISES, &stage.moment)));
    }

    /// Praises the learner for a word that they have learned.
    pub(super) fn reinforce(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Some(word) = self.finished(data) else { return };
        stage.tell(Role::Praise, words::learned(data.draw(words::ENDS, &stage.moment), word));
    }

    /// Tells the learner that a word was put aside and will come back.
    pub(super) fn promise_return(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Some(word) = self.finished(data) else { return };
        stage.tell(Role::Note, words::parked(data.draw(words::PROMISES, &stage.moment), word));
    }

    /// Tells the learner that the word they skipped will come back.
    pub(super) fn put_off(&self, data: &Data, stage: &mut Stage<'_>) {
        let Some(item) = self.target(data) else { return };
        stage.tell(Role::Note, words::skipped(&item.text));
    }

    /// Says a kind word after a silence.
    pub(super) fn nudge(&self, data: &mut Data, stage: &mut Stage<'_>) {
        stage.tell(Role::Note, words::nudge(data.draw(words::NUDGES, &stage.moment)));
    }

    /// Returns the word that was finished last.
    fn finished(&self, data: &Data) -> Option<&'p String> {
        self.0.item(&data.finished.last()?.id).map(|item| &item.text)
    }

    fn target(&self, data: &Data) -> Option<&'p Item> {
        data.target.as_ref().and_then(|word| self.0.item(&word.id))
    }

    /// Plays a dialogue from the pack.
    fn set_scene(&self, data: &mut Data, stage: &mut Stage<'_>) {
        let Some((item, word)) = self.target(data).zip(data.target.as_ref()) else { return };
        let is_unaided = data.aid.is_some_and(|aid| aid != Aid::Word);
        let Some(choice) = Repertoire::new(self.0, item, data).cue(word, is_unaided) else {
            return;
        };
        let scene = Line::new(Role::Scene, &choice.cue.scene);
        let opening = choice.opening.as_ref().map(|opening| opening.line);
        let opening = opening.map(|said| Line::new(Role::Cue, &said.say).meaning(&said.means));
        let filler = filler_line(item, &choice.cue.answer);
        ask_with(data, stage, std::iter::once(scene).chain(opening).chain(filler));
        data.answer = Some(choice.cue.answer.clone());
        data.said_last = choice.opening.map(|opening| opening.learned).unwrap_or_default();
        self.show_aid(data, stage);
        if let Some(word) = &mut data.target {
            word.count_cue(choice.index);
        }
    }

    /// Plays a dialogue that a model has invented.
    fn play(&self, data: &mut Data, new: Dialogue, stage: &mut Stage<'_>) {
        let opening = Line::new(Role::Cue, new.say).meaning(new.means);
        ask_with(data, stage, [Line::new(Role::Scene, new.scene), opening]);
        data.answer = None;
        data.said_last = new.learned;
        self.show_aid(data, stage);
        if let Some(word) = &mut data.target {
            word.count_presentation();
        }
    }

    fn show_aid(&self, data: &Data, stage: &mut Stage<'_>) {
        if let Some(item) = self.target(data) {
            stage.say(aid_line(item, data, data.aid.unwrap_or_default()));
        }
    }

    /// Passes over noise, which is not an attempt. If the law has no event for it, it counts as a miss.
    fn pass_over(&self, data: &mut Data, heard: String, at: &At<'_>, stage: &mut Stage<'_>) {
        stage.tell(Role::Correction, words::not_heard());
        raise_first(&[Event::NotAnAttempt, Event::UsageIncorrect], at, stage);
        data.feedback = Some(Feedback::without_attempt(heard, Match::new(How::None, Vec::new())));
    }

    /// Counts the learned items in an answer, so that the coach can prefer the others.
    fn count_learned(&self, data: &mut Data, heard: &Heard) {
        let ids = data.pool.iter().map(|pooled| &pooled.id);
        let ids: Vec<String> = ids.filter(|id| self.0.is_said(id, heard)).cloned().collect();
        ids.iter().for_each(|id| data.count_use(id));
    }
}

/// Returns the correction of an answer that was not quite right, or not at all.
fn correction(item: &Item, answer: Option<&str>, result: &Match) -> Option<Text> {
    let right = result.right.as_deref();
    match result.how {
        How::Fuzzy => {
            let (expected, heard) = both_sides(&result.difference);
            Some(words::close(expected, heard))
        }
        How::Surface | How::Alias | How::Unchecked => None,
        How::None if right.is_some() || result.is_near() => {
            Some(words::near_miss(right.unwrap_or(&item.text)))
        }
        How::None => Some(words::miss(spoken_line(item, answer))),
    }
}

/// Raises the first of these events that the law takes.
fn raise_first(events: &[Event], at: &At<'_>, stage: &mut Stage<'_>) {
    if let Some(event) = events.iter().find(|event| at.takes(event.name())) {
        stage.raise(*event, json!({}));
    }
}

/// Whether everything that was said is in the text of the item, such as “weiß nicht” in “Ich weiß nicht”.
fn is_part_of(item: &Item, heard: &Heard) -> bool {
    let mut own = WordSet::default();
    own.add(&item.text);
    heard.is_attempt() && heard.words().iter().all(|(word, _)| own.unknown_in(word).is_empty())
}

/// Returns the item as people say it: its text, or the answer to the present scene if the text has gaps or
/// variants.
fn spoken_line<'i>(item: &'i Item, answer: Option<&'i str>) -> &'i str {
    answer.filter(|_| item.has_forms()).unwrap_or(&item.text)
}

/// Returns a note on the meaning of the filler in an answer, if the pack has one.
fn filler_line(item: &Item, answer: &str) -> Option<Line> {
    let filler = filler_in(item, &Heard::new(answer))?;
    Some(Line::new(Role::Note, words::filler(&filler.say, filler.gloss()?)))
}

/// Returns the longest filler of the item that was said.
fn filler_in<'i>(item: &'i Item, heard: &Heard) -> Option<&'i Filler> {
    let is_in = |filler: &&Filler| is_in(&filler.say, heard);
    item.fill.iter().filter(is_in).max_by_key(|filler| filler.say.chars().count())
}

fn is_in(text: &str, heard: &Heard) -> bool {
    Phrase::new(text).is_some_and(|text| heard.words().contains(&text))
}

/// Whether the scene names one filler and the learner said another: “Order a soup” – “Einen Kaffee, bitte.”
fn asks_for_another(item: &Item, cue: &[Line], answer: &str, heard: &Heard) -> bool {
    let Some((wanted, said)) = filler_in(item, &Heard::new(answer)).zip(filler_in(item, heard)) else {
        return false;
    };
    let is_scene = |line: &&Line| line.role == Role::Scene;
    let is_named = |means: &String| {
        cue.iter()
            .filter(is_scene)
            .any(|scene| scene.say.plain().is_some_and(|scene| is_in(means, &Heard::new(scene))))
    };
    wanted.say != said.say && !is_in(&wanted.say, heard) && wanted.means.as_ref().is_some_and(is_named)
}

/// Returns how much of the word the learner sees: less with every use.
fn aid(at: &At<'_>) -> Aid {
    let is_reached = |name: &str| at.number(name).is_some_and(|from| at.counter(USAGE) >= from);
    match () {
        () if is_reached(CUED_FROM) => Aid::Cue,
        () if at.number(CUED_FROM).is_none() && is_reached(UNAIDED_FROM) => Aid::Nothing,
        () => Aid::Word,
    }
}

/// Returns the line that shows this much of the word.
pub(super) fn aid_line(item: &Item, data: &Data, aid: Aid) -> Line {
    match aid {
        Aid::Word => Line::new(Role::Hint, &item.text).meaning(&item.meaning),
        Aid::Cue => {
            let letters = first_letters(spoken_line(item, data.answer.as_deref()));
            Line::new(Role::Note, words::cue(&item.meaning, letters))
        }
        Aid::Nothing => Line::new(Role::Note, words::recall(&item.meaning)),
    }
}

/// Says the lines that the learner should answer, and keeps them to be shown again.
fn ask_with(data: &mut Data, stage: &mut Stage<'_>, lines: impl IntoIterator<Item = Line>) {
    data.last_cue = lines.into_iter().collect();
    data.asked_at_us = stage.moment.now_us;
    data.last_cue.iter().for_each(|line| stage.say(line.clone()));
}

/// Returns the word with which the learner said the meaning in their own language, if the matcher took it for a
/// slip: "hello" is not a misspelt "Hallo".
fn translated(item: &Item, result: &Match) -> Option<String> {
    let meaning = Heard::new(&item.meaning);
    let is_meaning = |said: &str| Phrase::new(said).is_some_and(|said| meaning.words().contains(&said));
    result.difference.iter().filter(|_| result.how == How::Fuzzy).find_map(|piece| match piece {
        Piece::Changed { heard, .. } => is_meaning(heard).then(|| heard.clone()),
        Piece::Same { .. } | Piece::Missing { .. } | Piece::Extra { .. } => None,
    })
}

/// Splits a difference into two texts: the expected one, and the one that was said.
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
