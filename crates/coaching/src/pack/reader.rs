//! Reads a pack and notes every problem on the way.
//!
//! Items are read in teaching order, as the word rule requires: everything read before an item counts as taught.

use std::collections::HashMap;

use super::bounds::{self, LINE_CHARS, PROSE_CHARS};
use super::judge::{Lore, folded};
use super::{Cue, Filler, Item, Line, Never, Pack, Takes};
use crate::authored::{At, Fields, Node, PackProblem, ProblemCode, Problems, WORD_CHARS, rules, values};
use crate::text::{Heard, How, MAX_SLOT_WORDS, Target, WordSet, Words, spelled};

/// Returns the pack, if the file has the shape of one, and every problem in the order of the file.
pub(super) fn read(source: &[u8], file_name: &str) -> (Option<Pack>, Vec<PackProblem>) {
    crate::authored::read(source, |problems, root| {
        let (pack, said) = Reader::new(problems).pack(root, file_name)?;
        said.iter().for_each(|said| check_said(problems, &pack, said));
        Some(pack)
    })
}

/// Reads like [`read`], without judging every line, which takes most of the time.
pub(super) fn read_shipped(source: &[u8], file_name: &str) -> (Option<Pack>, Vec<PackProblem>) {
    crate::authored::read(source, |problems, root| Some(Reader::new(problems).pack(root, file_name)?.0))
}

struct Reader<'p> {
    problems: &'p Problems,
    /// Every word of the items read so far, their fill words and the names.
    taught: WordSet,
    /// The ids met so far, with the line of each.
    ids: HashMap<String, u64>,
    /// The texts met so far, folded, with the id of each item.
    texts: HashMap<Vec<String>, String>,
    /// The aliases, which are checked at the end: one may equal the text of a later item.
    aliases: Vec<(At<String>, String)>,
    /// The answers and examples, which also wait: whether a gap is right depends on every word of the pack.
    said: Vec<Said>,
    items: usize,
}

/// A line of a pack that should say its item.
struct Said {
    line: At<String>,
    /// The index of its item among those that have a target.
    item: usize,
    is_answer: bool,
}

const PACK_KEYS: &[&str] =
    &["pack", "title", "language", "explained_in", "about", "names", "polite", "items"];
const ITEM_KEYS: &[&str] = &[
    "id",
    "text",
    "meaning",
    "explain",
    "examples",
    "cues",
    "aliases",
    "also",
    "fill",
    "takes",
    "never",
    "confusable",
    "note",
];
const FILLER_KEYS: &[&str] = &["say", "means", "with"];
const NEVER_KEYS: &[&str] = &["say", "instead"];
const LINE_KEYS: &[&str] = &["say", "means"];
const CUE_KEYS: &[&str] = &["scene", "say", "means", "answer"];

impl<'p> Reader<'p> {
    fn new(problems: &'p Problems) -> Reader<'p> {
        let (ids, texts) = (HashMap::new(), HashMap::new());
        Reader {
            problems,
            taught: WordSet::default(),
            ids,
            texts,
            aliases: Vec::new(),
            said: Vec::new(),
            items: 0,
        }
    }

    /// Returns the pack, and the lines that should say its items.
    fn pack(mut self, root: &At<Node>, file_name: &str) -> Option<(Pack, Vec<Said>)> {
        let fields = self.problems.fields(root, "a pack", PACK_KEYS)?;
        let names = fields.texts("names", bounds::NAMES, WORD_CHARS);
        names.iter().for_each(|name| self.taught.add(&name.value));
        let polite = fields.texts("polite", bounds::POLITE, LINE_CHARS);
        let language = fields.language("language");
        let nodes = fields.list("items", bounds::ITEMS);
        let items: Vec<Item> = nodes.iter().filter_map(|node| self.item(node, &language)).collect();
        self.check_aliases(&items);
        let (names, polite) = (values(names), values(polite));
        let pack = Pack {
            id: fields.file_id("pack", file_name),
            title: fields.text("title", LINE_CHARS).value,
            lore: Lore::new(&language, &names, &polite, &items),
            language,
            explained_in: fields.language("explained_in"),
            about: fields.text("about", PROSE_CHARS).value,
            names,
            polite,
            items,
        };
        Some((pack, self.said))
    }

    fn item(&mut self, node: &At<Node>, language: &str) -> Option<Item> {
        let fields = self.problems.fields(node, "an item", ITEM_KEYS)?;
        let id = fields.own_id(&mut self.ids);
        let text = fields.text("text", LINE_CHARS);
        let target = self.target(&text, &id);
        let also = fields.texts("also", bounds::ALSO, LINE_CHARS);
        let fill = self.fill(&fields);
        let takes = self.takes(&fields);
        self.check_fill(&text, target.as_ref(), &fill, takes);
        let never = self.never(&fields, &fill);
        self.taught.add(&text.value);
        also.iter().for_each(|text| self.taught.add(&text.value));
        fill.iter().for_each(|filler| self.taught.add(&filler.value.say));
        let aliases = fields.texts("aliases", bounds::ALIASES, LINE_CHARS);
        self.aliases.extend(aliases.iter().map(|alias| (alias.clone(), id.clone())));
        let aliases = values(aliases);
        let confusable = values(fields.texts("confusable", bounds::CONFUSABLE, LINE_CHARS));
        let item = Item {
            text: text.value,
            meaning: fields.text("meaning", LINE_CHARS).value,
            explain: fields.text("explain", PROSE_CHARS).value,
            examples: self.examples(&fields),
            cues: self.cues(&fields),
            other_ways: also.iter().filter_map(|text| self.listenable(text)).collect(),
            also: values(also),
            fill: fill.into_iter().map(|filler| filler.value).collect(),
            takes,
            never,
            confusable: confusable.iter().map(|word| spelled(word, language)).collect(),
            note: fields.optional_text("note", PROSE_CHARS),
            target: match target {
                Some(target) => target.with_aliases(&aliases),
                None => {
                    self.said.retain(|said| said.item != self.items);
                    return None;
                }
            },
            aliases,
            id,
        };
        self.items += 1;
        Some(item)
    }

    /// Reads the fillers, which are plain words, or words with their meaning and the choices that belong to them.
    fn fill(&self, item: &Fields) -> Vec<At<Filler>> {
        let filler = |node: &At<Node>| {
            if !matches!(node.value, Node::Map(_)) {
                let say = self.problems.texts(std::slice::from_ref(node), "fill", LINE_CHARS).pop()?;
                return Some(say.map(|say| Filler { say, means: None, with: Vec::new() }));
            }
            let fields = self.problems.fields(node, "a filler", FILLER_KEYS)?;
            let say = fields.text("say", LINE_CHARS);
            let means = fields.optional_text("means", LINE_CHARS);
            let with = values(fields.one_or_more("with", WORD_CHARS));
            Some(say.map(|say| Filler { say, means, with }))
        };
        item.list("fill", bounds::FILL).iter().filter_map(filler).collect()
    }

    fn takes(&self, item: &Fields) -> Takes {
        match item.optional_text("takes", WORD_CHARS).as_deref() {
            None => Takes::Fillers,
            Some("name") => Takes::Names,
            Some("anything") => Takes::Anything,
            Some(other) => {
                let message = format!("a gap cannot take “{other}”");
                let cure = "write name or anything, or remove it";
                self.problems.note(ProblemCode::UnknownWord, item.place_of("takes"), message, cure);
                Takes::Fillers
            }
        }
    }

    fn never(&self, item: &Fields, fill: &[At<Filler>]) -> Vec<Never> {
        let mut all = Vec::new();
        for fields in item.each("never", bounds::NEVER, "a wrong filler", NEVER_KEYS) {
            let say = fields.text("say", LINE_CHARS);
            if fill.iter().any(|filler| folded(&filler.value.say) == folded(&say.value)) {
                let message = format!("“{}” is both a filler and never right", say.value);
                self.problems.note(ProblemCode::NeverIsFiller, say.place(), message, "remove one of the two");
            }
            all.push(Never { say: say.value, instead: fields.optional_text("instead", LINE_CHARS) });
        }
        all
    }

    fn examples(&mut self, item: &Fields) -> Vec<Line> {
        let mut lines = Vec::new();
        for fields in item.each("examples", bounds::EXAMPLES, "an example", LINE_KEYS) {
            let say = self.line(&fields, "say");
            self.said.push(Said { line: say.clone(), item: self.items, is_answer: false });
            lines.push(Line { say: say.value, means: fields.text("means", LINE_CHARS).value });
        }
        lines
    }

    fn cues(&mut self, item: &Fields) -> Vec<Cue> {
        let mut cues = Vec::new();
        for fields in item.each("cues", bounds::CUES, "a cue", CUE_KEYS) {
            let scene = fields.text("scene", PROSE_CHARS).value;
            let has_opening = fields.get("say").is_some() || fields.get("means").is_some();
            let opening = has_opening.then(|| Line {
                say: self.line(&fields, "say").value,
                means: fields.text("means", LINE_CHARS).value,
            });
            let answer = self.line(&fields, "answer");
            self.said.push(Said { line: answer.clone(), item: self.items, is_answer: true });
            cues.push(Cue { scene, opening, answer: answer.value });
        }
        cues
    }

    /// Reads a text in the language being learned, and checks that it obeys the word rule.
    fn line(&self, fields: &Fields, key: &str) -> At<String> {
        let line = fields.text(key, LINE_CHARS);
        self.check_scripts(&line);
        for word in self.taught.unknown_in(&line.value) {
            let message = format!("“{}” uses “{word}”, which is not taught yet", line.value);
            let cure = "use a word of this item, an earlier item, a fill list or names, or teach it earlier";
            self.problems.note(ProblemCode::WordNotTaught, line.place(), message, cure);
        }
        line
    }

    fn target(&mut self, text: &At<String>, id: &str) -> Option<Target> {
        if text.value.is_empty() {
            return None;
        }
        self.check_scripts(text);
        let target = self.listenable(text)?;
        if let Some(other) = self.texts.insert(target.readings(), id.to_owned()) {
            let message = format!("“{}” is also the text of item {other}", text.value);
            self.problems.note(
                ProblemCode::DuplicateText,
                text.place(),
                message,
                "keep one of the two items",
            );
        }
        Some(target)
    }

    fn listenable(&self, text: &At<String>) -> Option<Target> {
        let note = |error: &dyn ToString| {
            let message = format!("“{}” cannot be listened for", text.value);
            self.problems.note(ProblemCode::NoTarget, text.place(), message, error.to_string());
        };
        Target::parse(&text.value).inspect_err(|error| note(error)).ok()
    }

    fn check_fill(&self, text: &At<String>, target: Option<&Target>, fill: &[At<Filler>], takes: Takes) {
        let Some(target) = target else { return };
        match (target.has_slot(), fill) {
            (true, []) if takes == Takes::Fillers => {
                let message = format!("“{}” has a slot but no fill, so anything counts there", text.value);
                let cure = "list words for the slot in fill, or write takes: anything";
                self.problems.note(ProblemCode::SlotWithoutFill, text.place(), message, cure);
            }
            (false, [first, ..]) => {
                let message = format!("“{}” has no slot to fill", text.value);
                let cure = "write ___ in text or drop fill";
                self.problems.note(ProblemCode::FillWithoutSlot, first.place(), message, cure);
            }
            _ => {}
        }
        self.check_forms(target, fill);
        for entry in fill {
            let say = &entry.value.say;
            self.check_scripts(&entry.place().map(|()| say.clone()));
            if Words::new(say).iter().count() > MAX_SLOT_WORDS {
                let message = format!("“{say}” has more than the {MAX_SLOT_WORDS} words a slot takes");
                self.problems.note(ProblemCode::FillTooLongForSlot, entry.place(), message, "shorten it");
            }
        }
    }

    /// Checks that each filler says which of the frame's choices belong to it, if the frame has any.
    fn check_forms(&self, target: &Target, fill: &[At<Filler>]) {
        let with_slot = target.phrases().iter().filter(|reading| reading.slots() > 0);
        let choices: Vec<&String> =
            with_slot.flat_map(|reading| &reading.picks).flat_map(|pick| &pick.among).collect();
        for entry in fill {
            let Filler { say, with, .. } = &entry.value;
            if with.is_empty() && !choices.is_empty() {
                let message = format!("“{say}” goes with every choice of the text");
                let cure = "say in with: which choices belong to it";
                self.problems.note(ProblemCode::FillerWithoutChoice, entry.place(), message, cure);
            }
            for word in with.iter().filter(|word| !choices.contains(&&folded(word))) {
                let message = format!("“{word}” is not a choice of the text");
                let cure = "write one of the words between slashes";
                self.problems.note(ProblemCode::NoSuchChoice, entry.place(), message, cure);
            }
        }
    }

    fn check_aliases(&self, items: &[Item]) {
        let mut owners: HashMap<String, &str> = HashMap::new();
        for item in items {
            owners.extend(item.target.readings().into_iter().map(|reading| (reading, item.id.as_str())));
        }
        for (alias, item) in &self.aliases {
            let folded = Target::parse(&alias.value).map(|target| target.readings()).unwrap_or_default();
            let owner = folded.iter().filter_map(|reading| owners.get(reading)).find(|owner| **owner != item);
            if let Some(other) = owner {
                let message = format!("the alias “{}” of {item} is the text of item {other}", alias.value);
                self.problems.note(
                    ProblemCode::AliasIsAnotherItem,
                    alias.place(),
                    message,
                    "remove the alias",
                );
            }
        }
    }

    fn check_scripts(&self, text: &At<String>) {
        for word in rules::mixed_script_words(&text.value) {
            let message = format!("“{word}” mixes letters of different scripts");
            let cure = "type all its letters in one script";
            self.problems.note(ProblemCode::MixedScripts, text.place(), message, cure);
        }
    }
}

/// Checks that a line says its item, and that the content of its gap can be checked.
fn check_said(problems: &Problems, pack: &Pack, said: &Said) {
    let Said { line, item, is_answer } = said;
    let item = &pack.items[*item];
    if line.value.is_empty() {
        return;
    }
    let what = if *is_answer { "answer" } else { "example" };
    let heard = Heard::new(&line.value);
    let fits = |target: &Target| target.hear(&heard).how == How::Surface;
    match pack.judge_by_fillers(item, &heard).how {
        How::Surface => {}
        _ if fits(&item.target) || item.other_ways.iter().any(fits) => {
            let message = format!("the {what} “{}” has something in its gap that is not in fill", line.value);
            let cure = "add it to fill, in the form that belongs there";
            problems.note(ProblemCode::UncheckedLine, line.place(), message, cure);
        }
        _ => {
            let message = format!("the {what} “{}” does not contain the text of the item", line.value);
            let (code, cure) = match is_answer {
                true => (ProblemCode::AnswerMissesItem, "answer with the item"),
                false => (ProblemCode::ExampleMissesItem, "use the item in the example"),
            };
            problems.note(code, line.place(), message, cure);
        }
    }
}
