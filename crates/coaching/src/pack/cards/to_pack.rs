//! Makes drill packs from cards. The packs pass the check.
//!
//! A card has only a text and a meaning, so the rest of an item is made from these two: the text is its own
//! example and the answer to three neutral cues. That obeys the word rule by construction. A card whose text the
//! coach could not recognise in an answer is skipped with a reason.

use std::collections::HashSet;

use super::scenes::{self, Scenes};
use super::{Card, Cards, DEFAULT_DECK, Note, Side, Stage, id};
use crate::authored::MAX_FILE_BYTES;
use crate::learner::ITEM_KIND;
use crate::pack::bounds::{ITEMS, LINE_CHARS, PROSE_CHARS};
use crate::pack::{self, PackProblem, Severity};
use crate::text::{Heard, How, Target, WordSet, shortened};

/// The name of the new pack, and the side of the cards that is learned.
#[derive(Debug, Clone, Copy)]
pub struct NewPack<'a> {
    pub id: &'a str,
    pub title: &'a str,
    pub language: &'a str,
    pub explained_in: &'a str,
    pub about: &'a str,
    /// The side in `language`; the other one is its meaning.
    pub text_side: Side,
}

/// The result of converting cards.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Packed {
    /// More than one if the cards do not fit into one pack; empty if no note could be used.
    pub files: Vec<PackFile>,
    /// The learner's progress with the items so far.
    pub records: Vec<CardRecord>,
    pub skipped: Vec<Skipped>,
}

/// A pack to write to `ID.yaml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackFile {
    pub id: String,
    pub yaml: String,
}

/// The learner's progress with one item of a pack.
#[derive(Debug, Clone, PartialEq)]
pub struct CardRecord {
    pub kind: &'static str,
    /// The key of the item: `PACK/ITEM`.
    pub key: String,
    pub card: Card,
}

/// A note that is not in any pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The index of the note in [`Cards::notes`].
    pub note: usize,
    pub why: String,
}

/// Makes packs and records. The error is the check's verdict on the id, the title or the languages.
pub fn cards_to_packs(cards: &Cards, new: &NewPack) -> Result<Packed, Vec<PackProblem>> {
    let mut packing = Packing::new(new);
    for (at, note) in cards.notes.iter().enumerate() {
        if let Err(why) = packing.add(note) {
            packing.packed.skipped.push(Skipped { note: at, why });
        }
    }
    packing.finish()
}

/// The greatest size of a file's items. This leaves more than enough for the head of the file.
const ITEMS_BYTES: usize = MAX_FILE_BYTES - (64 << 10);

struct Packing<'a> {
    new: &'a NewPack<'a>,
    packed: Packed,
    /// The id of the pack being filled.
    id: String,
    items: Vec<String>,
    items_bytes: usize,
    item_ids: HashSet<String>,
    texts: HashSet<Vec<String>>,
}

impl<'a> Packing<'a> {
    fn new(new: &'a NewPack<'a>) -> Packing<'a> {
        Packing {
            new,
            packed: Packed::default(),
            id: new.id.to_owned(),
            items: Vec::new(),
            items_bytes: 0,
            item_ids: HashSet::new(),
            texts: HashSet::new(),
        }
    }

    fn add(&mut self, note: &Note) -> Result<(), String> {
        let item = Item::new(note, self.new)?;
        if !self.texts.insert(item.target.readings()) {
            return Err("another note has the same text; the first one is kept".to_owned());
        }
        // Without a guid only the text is the identity, so that a better meaning does not lose the history.
        let identity = if note.guid.is_empty() { id::of_text(&[&item.text]) } else { note.guid.clone() };
        let id = self.free_id(&identity).ok_or("another note has the same guid")?;
        let yaml = item.yaml(&id, Scenes::in_language(self.new.explained_in));
        if self.items.len() == *ITEMS.end() || self.items_bytes + yaml.len() > ITEMS_BYTES {
            self.close();
        }
        self.items_bytes += yaml.len();
        self.items.push(yaml);
        if let Some(card) = note.most_reviewed().filter(|card| was_touched(card)) {
            let (key, card) = (format!("{}/{id}", self.id), card.clone());
            self.packed.records.push(CardRecord { kind: ITEM_KIND, key, card });
        }
        Ok(())
    }

    fn free_id(&mut self, identity: &str) -> Option<String> {
        let candidates = [id::item_id(identity), id::hashed(identity)];
        candidates.into_iter().find(|id| self.item_ids.insert(id.clone()))
    }

    /// Finishes the pack being filled and begins the next.
    fn close(&mut self) {
        let yaml = self.head() + &std::mem::take(&mut self.items).concat();
        self.packed.files.push(PackFile { id: self.id.clone(), yaml });
        self.id = format!("{}-{}", self.new.id, self.packed.files.len() + 1);
        self.items_bytes = 0;
    }

    fn head(&self) -> String {
        let NewPack { title, language, explained_in, about, .. } = self.new;
        let part = self.packed.files.len() + 1;
        let title = if part == 1 { (*title).to_owned() } else { format!("{title} ({part})") };
        let [id, title, language, explained_in, about] =
            [&self.id, title.as_str(), language, explained_in, about].map(quoted);
        format!(
            "pack: {id}\ntitle: {title}\nlanguage: {language}\nexplained_in: {explained_in}\nabout: {about}\nitems:\n"
        )
    }

    fn finish(mut self) -> Result<Packed, Vec<PackProblem>> {
        if !self.items.is_empty() {
            self.close();
        }
        let check = |file: &PackFile| pack::check(file.yaml.as_bytes(), &file.id);
        let mut problems: Vec<PackProblem> = self.packed.files.iter().flat_map(check).collect();
        problems.retain(|problem| problem.severity == Severity::Error);
        if problems.is_empty() { Ok(self.packed) } else { Err(problems) }
    }
}

/// The material for an item.
struct Item {
    text: String,
    target: Target,
    /// The text as it is spoken: one of its variants, if it has any.
    spoken: String,
    meaning: String,
    note: String,
}

impl Item {
    fn new(note: &Note, new: &NewPack) -> Result<Item, String> {
        let text = without_slots(&one_line(note.side(new.text_side)));
        let meaning = one_line(note.side(new.text_side.other()));
        if text.is_empty() || meaning.is_empty() {
            return Err("one of its sides is empty".to_owned());
        }
        if text.chars().count() > LINE_CHARS {
            return Err(format!("its text is longer than {LINE_CHARS} characters"));
        }
        let (text, target) = listenable(text)?;
        let spoken = spoken(&text, &target).ok_or("no answer to it could be recognised")?;
        let meaning = shortened(&meaning, LINE_CHARS);
        // The name of the default deck means nothing to the learner.
        let deck = Some(&note.deck).filter(|deck| *deck != DEFAULT_DECK);
        let from: Vec<&str> = deck.into_iter().chain(&note.tags).map(String::as_str).collect();
        let note = shortened(&one_line(&from.join(", ")), PROSE_CHARS);
        Ok(Item { text, target, spoken, meaning, note })
    }

    fn yaml(&self, id: &str, scenes: &Scenes) -> String {
        let [text, spoken, meaning] = [&self.text, &self.spoken, &self.meaning].map(|value| quoted(value));
        let explain = quoted(&scenes::fill(scenes.explain, &self.text, &self.meaning));
        let mut yaml =
            format!("  - id: {id}\n    text: {text}\n    meaning: {meaning}\n    explain: {explain}\n");
        yaml += &format!("    examples:\n      - {{say: {spoken}, means: {meaning}}}\n    cues:\n");
        for scene in scenes.cues {
            let scene = quoted(&scenes::fill(scene, &self.text, &self.meaning));
            yaml += &format!("      - {{scene: {scene}, answer: {spoken}}}\n");
        }
        if !self.note.is_empty() {
            yaml += &format!("    note: {}\n", quoted(&self.note));
        }
        yaml
    }
}

/// Returns the text with its target. Slashes that make no sense as variants are read as spaces.
fn listenable(text: String) -> Result<(String, Target), String> {
    if let Ok(target) = Target::parse(&text) {
        return Ok((text, target));
    }
    let plain = one_line(&text.replace(['/', '／'], " "));
    match Target::parse(&plain) {
        Ok(target) => Ok((plain, target)),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns the first variant if it is an answer by itself, or else the whole text.
fn spoken(text: &str, target: &Target) -> Option<String> {
    let mut taught = WordSet::default();
    taught.add(text);
    let first = text.split(['/', '／']).next().unwrap_or_default().trim();
    let is_answer = |line: &&str| {
        target.hear(&Heard::new(line)).how == How::Surface && taught.unknown_in(line).is_empty()
    };
    [first, text].into_iter().find(is_answer).map(str::to_owned)
}

/// Replaces a row of underscores by dots: on a card it is a blank, not a slot with words to choose from.
fn without_slots(text: &str) -> String {
    let is_line = |c: char| matches!(c, '_' | '＿');
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(is_line) {
        let (before, line) = rest.split_at(at);
        let end = line.find(|c| !is_line(c)).unwrap_or(line.len());
        plain.push_str(before);
        plain.push_str(if line[..end].chars().count() < 3 { &line[..end] } else { "…" });
        rest = &line[end..];
    }
    plain + rest
}

/// Returns the text on one line, without characters that a pack may not contain.
fn one_line(text: &str) -> String {
    let is_nothing = |c: char| c == '\u{FEFF}' || u32::from(c) & 0xFFFE == 0xFFFE;
    let shown: String =
        text.chars().filter(|c| !is_nothing(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Quotes a text for YAML. A JSON string is a YAML string too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn was_touched(card: &Card) -> bool {
    card.stage != Stage::New || card.hold.is_some() || !card.reviews.is_empty()
}
