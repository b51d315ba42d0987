//! Reads a pack and notes every problem on the way.
//!
//! Items are read in teaching order, which is what the word rule needs: what was read before is taught.

use std::collections::HashMap;

use super::bounds::{self, LINE_CHARS, PROSE_CHARS};
use super::{Cue, Item, Line, Pack};
use crate::authored::{At, Fields, Node, PackProblem, ProblemCode, Problems, WORD_CHARS, rules, values};
use crate::text::{Heard, How, MAX_SLOT_WORDS, Target, WordSet, Words};

/// The pack, if the file has the shape of one, and every problem in the order of the file.
pub(super) fn read(source: &[u8], file_name: &str) -> (Option<Pack>, Vec<PackProblem>) {
    crate::authored::read(source, |problems, root| Reader::new(problems).pack(root, file_name))
}

struct Reader<'p> {
    problems: &'p Problems,
    /// Every word of the items read so far, their fill words and the names.
    taught: WordSet,
    /// The ids met so far and the line of each.
    ids: HashMap<String, u64>,
    /// The texts met so far, folded, with the id of the item.
    texts: HashMap<Vec<String>, String>,
    /// Aliases wait for the end: one may equal the text of a later item.
    aliases: Vec<(At<String>, String)>,
}

const PACK_KEYS: &[&str] = &["pack", "title", "language", "explained_in", "about", "names", "items"];
const ITEM_KEYS: &[&str] =
    &["id", "text", "meaning", "explain", "examples", "cues", "aliases", "fill", "note"];
const LINE_KEYS: &[&str] = &["say", "means"];
const CUE_KEYS: &[&str] = &["scene", "say", "means", "answer"];

impl<'p> Reader<'p> {
    fn new(problems: &'p Problems) -> Reader<'p> {
        let (ids, texts) = (HashMap::new(), HashMap::new());
        Reader { problems, taught: WordSet::default(), ids, texts, aliases: Vec::new() }
    }

    fn pack(mut self, root: &At<Node>, file_name: &str) -> Option<Pack> {
        let fields = self.problems.fields(root, "a pack", PACK_KEYS)?;
        let names = fields.texts("names", bounds::NAMES, WORD_CHARS);
        names.iter().for_each(|name| self.taught.add(&name.value));
        let nodes = fields.list("items", bounds::ITEMS);
        let items: Vec<Item> = nodes.iter().filter_map(|node| self.item(node)).collect();
        self.check_aliases(&items);
        Some(Pack {
            id: fields.file_id("pack", file_name),
            title: fields.text("title", LINE_CHARS).value,
            language: fields.language("language"),
            explained_in: fields.language("explained_in"),
            about: fields.text("about", PROSE_CHARS).value,
            names: values(names),
            items,
        })
    }

    fn item(&mut self, node: &At<Node>) -> Option<Item> {
        let fields = self.problems.fields(node, "an item", ITEM_KEYS)?;
        let id = fields.own_id(&mut self.ids);
        let text = fields.text("text", LINE_CHARS);
        let target = self.target(&text, &id);
        let fill = fields.texts("fill", bounds::FILL, LINE_CHARS);
        self.check_fill(&text, target.as_ref(), &fill);
        self.taught.add(&text.value);
        fill.iter().for_each(|words| self.taught.add(&words.value));
        let aliases = fields.texts("aliases", bounds::ALIASES, LINE_CHARS);
        self.aliases.extend(aliases.iter().map(|alias| (alias.clone(), id.clone())));
        let aliases = values(aliases);
        let item = Item {
            id,
            text: text.value,
            meaning: fields.text("meaning", LINE_CHARS).value,
            explain: fields.text("explain", PROSE_CHARS).value,
            examples: self.examples(&fields, target.as_ref()),
            cues: self.cues(&fields, target.as_ref()),
            fill: values(fill),
            note: fields.optional_text("note", PROSE_CHARS),
            target: target?.with_aliases(&aliases),
            aliases,
        };
        Some(item)
    }

    fn examples(&self, item: &Fields, target: Option<&Target>) -> Vec<Line> {
        let mut lines = Vec::new();
        for fields in item.each("examples", bounds::EXAMPLES, "an example", LINE_KEYS) {
            let say = self.line(&fields, "say");
            if !accepts(target, &say.value) {
                let message = format!("the example “{}” does not contain the text of the item", say.value);
                let cure = "use the item in the example";
                self.problems.note(ProblemCode::ExampleMissesItem, say.place(), message, cure);
            }
            lines.push(Line { say: say.value, means: fields.text("means", LINE_CHARS).value });
        }
        lines
    }

    fn cues(&self, item: &Fields, target: Option<&Target>) -> Vec<Cue> {
        let mut cues = Vec::new();
        for fields in item.each("cues", bounds::CUES, "a cue", CUE_KEYS) {
            let scene = fields.text("scene", PROSE_CHARS).value;
            let has_opening = fields.get("say").is_some() || fields.get("means").is_some();
            let opening = has_opening.then(|| Line {
                say: self.line(&fields, "say").value,
                means: fields.text("means", LINE_CHARS).value,
            });
            let answer = self.line(&fields, "answer");
            if !accepts(target, &answer.value) {
                let message = format!("the answer “{}” does not contain the text of the item", answer.value);
                let cure = "answer with the item";
                self.problems.note(ProblemCode::AnswerMissesItem, answer.place(), message, cure);
            }
            cues.push(Cue { scene, opening, answer: answer.value });
        }
        cues
    }

    /// Text in the language being learned. It must obey the word rule.
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
        let note = |error: &dyn ToString| {
            let message = format!("“{}” cannot be listened for", text.value);
            self.problems.note(ProblemCode::NoTarget, text.place(), message, error.to_string());
        };
        let target = Target::parse(&text.value).inspect_err(|error| note(error)).ok()?;
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

    fn check_fill(&self, text: &At<String>, target: Option<&Target>, fill: &[At<String>]) {
        let Some(target) = target else { return };
        match (target.has_slot(), fill) {
            (true, []) => {
                let message = format!("“{}” has a slot but no fill", text.value);
                let cure = "list words for the slot in fill";
                self.problems.note(ProblemCode::SlotWithoutFill, text.place(), message, cure);
            }
            (false, [first, ..]) => {
                let message = format!("“{}” has no slot to fill", text.value);
                let cure = "write ___ in text or drop fill";
                self.problems.note(ProblemCode::FillWithoutSlot, first.place(), message, cure);
            }
            _ => {}
        }
        for entry in fill {
            self.check_scripts(entry);
            if Words::new(&entry.value).iter().count() > MAX_SLOT_WORDS {
                let message =
                    format!("“{}” has more than the {MAX_SLOT_WORDS} words a slot takes", entry.value);
                self.problems.note(ProblemCode::FillTooLongForSlot, entry.place(), message, "shorten it");
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

/// Whether `line` says the item as it is written. What could not be read was reported already.
fn accepts(target: Option<&Target>, line: &str) -> bool {
    target.is_none_or(|target| line.is_empty() || target.hear(&Heard::new(line)).how == How::Surface)
}
