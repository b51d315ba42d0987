//! From the tree of a file to a pack, noting every problem on the way.
//!
//! A value that is missing or unusable is noted once and read as empty, so that the rest is still checked.
//! Items are read in teaching order, which is what the word rule needs: what was read before is taught.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::bounds::{self, LINE_CHARS, PROSE_CHARS, WORD_CHARS};
use super::node::{self, At, Node};
use super::problem::{PackProblem, ProblemCode};
use super::rules;
use super::{Cue, Item, Line, Pack};
use crate::text::{Heard, How, MAX_SLOT_WORDS, Target, WordSet, Words};

/// The pack, if the file has the shape of one, and every problem in the order of the file.
pub(super) fn read(source: &[u8], file_name: &str) -> (Option<Pack>, Vec<PackProblem>) {
    let mut reader = Reader::default();
    let pack = reader.document(source).and_then(|root| reader.pack(&root, file_name));
    reader.problems.sort_by_key(|problem| (problem.line, problem.column));
    (pack, reader.problems)
}

#[derive(Default)]
struct Reader {
    problems: Vec<PackProblem>,
    /// Every word that an item read so far, or a name, has made usable.
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

impl Reader {
    fn document(&mut self, source: &[u8]) -> Option<At<Node>> {
        let top = At { value: (), line: 0, column: 0 };
        if source.len() > bounds::FILE_BYTES {
            let message = format!("the file has {} bytes, more than {}", source.len(), bounds::FILE_BYTES);
            self.note(ProblemCode::TooLarge, top, message, "split it into several packs");
            return None;
        }
        let Ok(source) = std::str::from_utf8(source) else {
            self.note(ProblemCode::NotUtf8, top, "the file is not UTF-8 text", "save it as UTF-8");
            return None;
        };
        match node::parse(source) {
            Ok(root) => Some(root),
            Err(error) => {
                let place = error.place();
                self.note(ProblemCode::NotYaml, place, error.value, "correct the YAML at this place");
                None
            }
        }
    }

    fn pack(&mut self, root: &At<Node>, file_name: &str) -> Option<Pack> {
        let fields = self.fields(root, "a pack", PACK_KEYS)?;
        let id = self.text(&fields, "pack", WORD_CHARS);
        self.check_pack_id(&id, file_name);
        let title = self.text(&fields, "title", LINE_CHARS).value;
        let language = self.language(&fields, "language");
        let explained_in = self.language(&fields, "explained_in");
        let about = self.text(&fields, "about", PROSE_CHARS).value;
        let names = self.texts(&fields, "names", bounds::NAMES, WORD_CHARS);
        names.iter().for_each(|name| self.taught.add(&name.value));
        let nodes = self.list(&fields, "items", bounds::ITEMS);
        let items: Vec<Item> = nodes.iter().filter_map(|node| self.item(node)).collect();
        self.check_aliases(&items);
        Some(Pack { id: id.value, title, language, explained_in, about, names: values(names), items })
    }

    fn item(&mut self, node: &At<Node>) -> Option<Item> {
        let fields = self.fields(node, "an item", ITEM_KEYS)?;
        let id = self.text(&fields, "id", WORD_CHARS);
        self.check_item_id(&id);
        let text = self.text(&fields, "text", LINE_CHARS);
        let target = self.target(&text, &id.value);
        let fill = self.texts(&fields, "fill", bounds::FILL, LINE_CHARS);
        self.check_fill(&text, target.as_ref(), &fill);
        self.taught.add(&text.value);
        fill.iter().for_each(|words| self.taught.add(&words.value));
        let meaning = self.text(&fields, "meaning", LINE_CHARS).value;
        let explain = self.text(&fields, "explain", PROSE_CHARS).value;
        let examples = self.examples(&fields, target.as_ref());
        let cues = self.cues(&fields, target.as_ref());
        let aliases = self.texts(&fields, "aliases", bounds::ALIASES, LINE_CHARS);
        self.aliases.extend(aliases.iter().map(|alias| (alias.clone(), id.value.clone())));
        let (aliases, fill) = (values(aliases), values(fill));
        let note = fields.get("note").is_some().then(|| self.text(&fields, "note", PROSE_CHARS).value);
        let target = target?.with_aliases(&aliases);
        Some(Item {
            id: id.value,
            text: text.value,
            target,
            meaning,
            explain,
            examples,
            cues,
            aliases,
            fill,
            note,
        })
    }

    fn examples(&mut self, item: &Fields, target: Option<&Target>) -> Vec<Line> {
        let mut lines = Vec::new();
        for node in self.list(item, "examples", bounds::EXAMPLES) {
            let Some(fields) = self.fields(node, "an example", LINE_KEYS) else { continue };
            let say = self.line(&fields, "say");
            if !accepts(target, &say.value) {
                let message = format!("the example “{}” does not contain the item's text", say.value);
                self.note(
                    ProblemCode::ExampleMissesItem,
                    say.place(),
                    message,
                    "use the item in the example",
                );
            }
            lines.push(Line { say: say.value, means: self.text(&fields, "means", LINE_CHARS).value });
        }
        lines
    }

    fn cues(&mut self, item: &Fields, target: Option<&Target>) -> Vec<Cue> {
        let mut cues = Vec::new();
        for node in self.list(item, "cues", bounds::CUES) {
            let Some(fields) = self.fields(node, "a cue", CUE_KEYS) else { continue };
            let scene = self.text(&fields, "scene", PROSE_CHARS).value;
            let has_opening = fields.get("say").is_some() || fields.get("means").is_some();
            let opening = has_opening.then(|| Line {
                say: self.line(&fields, "say").value,
                means: self.text(&fields, "means", LINE_CHARS).value,
            });
            let answer = self.line(&fields, "answer");
            if !accepts(target, &answer.value) {
                let message = format!("the answer “{}” does not contain the item's text", answer.value);
                self.note(ProblemCode::AnswerMissesItem, answer.place(), message, "answer with the item");
            }
            cues.push(Cue { scene, opening, answer: answer.value });
        }
        cues
    }

    /// Text in the language that is learned: it obeys the word rule.
    fn line(&mut self, fields: &Fields, key: &'static str) -> At<String> {
        let line = self.text(fields, key, LINE_CHARS);
        self.check_scripts(&line);
        let unknown: Vec<String> =
            self.taught.unknown_in(&line.value).into_iter().map(str::to_owned).collect();
        for word in unknown {
            let message = format!("“{word}” is not taught yet in “{}”", line.value);
            let cure = "use a word of this item, an earlier item, a fill list or names, or teach it before";
            self.note(ProblemCode::WordNotTaught, line.place(), message, cure);
        }
        line
    }

    fn target(&mut self, text: &At<String>, id: &str) -> Option<Target> {
        if text.value.is_empty() {
            return None;
        }
        self.check_scripts(text);
        let target = match Target::parse(&text.value) {
            Ok(target) => target,
            Err(error) => {
                let message = format!("“{}” cannot be listened for", text.value);
                self.note(ProblemCode::NoTarget, text.place(), message, error.to_string());
                return None;
            }
        };
        if let Some(other) = self.texts.insert(target.readings(), id.to_owned()) {
            let message = format!("“{}” is also the text of item {other}", text.value);
            self.note(ProblemCode::DuplicateText, text.place(), message, "keep one of the two items");
        }
        Some(target)
    }

    fn language(&mut self, fields: &Fields, key: &'static str) -> String {
        let tag = self.text(fields, key, WORD_CHARS);
        if !tag.value.is_empty() && !rules::is_language_tag(&tag.value) {
            let message = format!("“{}” is no language tag", tag.value);
            self.note(
                ProblemCode::BadLanguageTag,
                tag.place(),
                message,
                "write a tag such as de, en or pt-BR",
            );
        }
        tag.value
    }

    fn check_pack_id(&mut self, id: &At<String>, file_name: &str) {
        self.check_id(id);
        let stem = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
        let stem = stem.strip_suffix(".yaml").or(stem.strip_suffix(".yml")).unwrap_or(stem);
        if !id.value.is_empty() && id.value != stem {
            let message = format!("the pack is called {} but its file {stem}", id.value);
            self.note(ProblemCode::NotTheFileName, id.place(), message, "give both the same name");
        }
    }

    fn check_item_id(&mut self, id: &At<String>) {
        self.check_id(id);
        if id.value.is_empty() {
            return;
        }
        if let Some(line) = self.ids.insert(id.value.clone(), id.line) {
            let message = format!("the id {} is already used in line {line}", id.value);
            self.note(ProblemCode::DuplicateId, id.place(), message, "give each item its own id");
        }
    }

    fn check_id(&mut self, id: &At<String>) {
        if !id.value.is_empty() && !rules::is_id(&id.value) {
            let message = format!("“{}” cannot be an id", id.value);
            let cure = "use lower-case letters a to z, digits and single hyphens";
            self.note(ProblemCode::BadId, id.place(), message, cure);
        }
    }

    fn check_fill(&mut self, text: &At<String>, target: Option<&Target>, fill: &[At<String>]) {
        let Some(target) = target else { return };
        match (target.has_slot(), fill) {
            (true, []) => {
                let message = format!("“{}” has a slot and no fill", text.value);
                self.note(
                    ProblemCode::SlotWithoutFill,
                    text.place(),
                    message,
                    "list words for the slot in fill",
                );
            }
            (false, [first, ..]) => {
                let message = format!("“{}” has no slot to fill", text.value);
                self.note(
                    ProblemCode::FillWithoutSlot,
                    first.place(),
                    message,
                    "write ___ in text or drop fill",
                );
            }
            _ => {}
        }
        for entry in fill {
            self.check_scripts(entry);
            if Words::new(&entry.value).iter().count() > MAX_SLOT_WORDS {
                let message =
                    format!("“{}” has more than the {MAX_SLOT_WORDS} words a slot takes", entry.value);
                self.note(ProblemCode::FillTooLongForSlot, entry.place(), message, "shorten it");
            }
        }
    }

    fn check_aliases(&mut self, items: &[Item]) {
        let mut owners: HashMap<String, &str> = HashMap::new();
        for item in items {
            owners.extend(item.target.readings().into_iter().map(|reading| (reading, item.id.as_str())));
        }
        for (alias, item) in std::mem::take(&mut self.aliases) {
            let folded = Target::parse(&alias.value).map(|target| target.readings()).unwrap_or_default();
            let other =
                folded.iter().filter_map(|reading| owners.get(reading)).find(|owner| ***owner != item);
            if let Some(other) = other {
                let message = format!("the alias “{}” of {item} is the text of item {other}", alias.value);
                self.note(ProblemCode::AliasIsAnotherItem, alias.place(), message, "remove the alias");
            }
        }
    }

    fn check_scripts(&mut self, text: &At<String>) {
        for word in rules::mixed_script_words(&text.value) {
            let message = format!("“{word}” mixes letters of different scripts");
            self.note(ProblemCode::MixedScripts, text.place(), message, "type all its letters in one script");
        }
    }
}

/// The fields of one mapping and where it begins.
struct Fields<'n> {
    entries: &'n [(At<String>, At<Node>)],
    what: &'static str,
    place: At<()>,
}

impl<'n> Fields<'n> {
    fn get(&self, key: &str) -> Option<&'n At<Node>> {
        self.entries.iter().find(|(name, _)| name.value == key).map(|(_, node)| node)
    }
}

/// Shapes: every value goes through one of these.
impl Reader {
    fn fields<'n>(&mut self, node: &'n At<Node>, what: &'static str, keys: &[&str]) -> Option<Fields<'n>> {
        let Node::Map(entries) = &node.value else {
            let message = format!("{what} is expected here, not {}", node.value.what());
            self.note(
                ProblemCode::WrongShape,
                node.place(),
                message,
                format!("write fields: {}", keys.join(", ")),
            );
            return None;
        };
        for (key, _) in entries.iter().filter(|(key, _)| !keys.contains(&key.value.as_str())) {
            let message = format!("{what} has no field “{}”", key.value);
            let cure = format!("the fields are {}", keys.join(", "));
            self.note(ProblemCode::UnknownKey, key.place(), message, cure);
        }
        Some(Fields { entries, what, place: node.place() })
    }

    /// A required text; empty when it is missing or unusable, which has then been noted.
    fn text(&mut self, fields: &Fields, key: &'static str, max_chars: usize) -> At<String> {
        match fields.get(key) {
            Some(node) => self.text_of(node, key, max_chars),
            None => {
                let message = format!("{} has no “{key}”", fields.what);
                self.note(ProblemCode::MissingField, fields.place, message, format!("add {key}: …"));
                fields.place.map(|()| String::new())
            }
        }
    }

    fn text_of(&mut self, node: &At<Node>, key: &'static str, max_chars: usize) -> At<String> {
        let place = node.place();
        let text = match &node.value {
            Node::Text(text) => text.trim(),
            Node::Nothing => "",
            other => {
                let message = format!("“{key}” must be text, not {}", other.what());
                self.note(ProblemCode::WrongShape, place, message, "put the text in quotes");
                return place.map(|()| String::new());
            }
        };
        if text.is_empty() {
            let message = format!("“{key}” is empty");
            self.note(ProblemCode::EmptyField, place, message, "write it, or remove it if it is optional");
        }
        if text.chars().count() > max_chars {
            let message = format!("“{key}” is longer than {max_chars} characters");
            self.note(ProblemCode::TooLong, place, message, "shorten it");
            return place.map(|()| String::new());
        }
        if let Some(c) = rules::control_character(text) {
            let message = format!("“{key}” contains the control character U+{:04X}", u32::from(c));
            self.note(ProblemCode::ControlCharacter, place, message, "remove it");
        }
        place.map(|()| text.to_owned())
    }

    /// A list of texts; absent is empty when the count may be zero.
    fn texts(
        &mut self,
        fields: &Fields,
        key: &'static str,
        count: RangeInclusive<usize>,
        max_chars: usize,
    ) -> Vec<At<String>> {
        let nodes = self.list(fields, key, count);
        nodes
            .iter()
            .map(|node| self.text_of(node, key, max_chars))
            .filter(|text| !text.value.is_empty())
            .collect()
    }

    fn list<'n>(
        &mut self,
        fields: &Fields<'n>,
        key: &'static str,
        count: RangeInclusive<usize>,
    ) -> &'n [At<Node>] {
        let (place, list) = match fields.get(key) {
            None => (fields.place, [].as_slice()),
            Some(At { value: Node::List(list), line, column }) => {
                (At { value: (), line: *line, column: *column }, list.as_slice())
            }
            Some(node) => {
                let message = format!("“{key}” must be a list, not {}", node.value.what());
                self.note(
                    ProblemCode::WrongShape,
                    node.place(),
                    message,
                    "write one entry per line after “- ”",
                );
                return &[];
            }
        };
        if !count.contains(&list.len()) {
            let (min, max) = count.into_inner();
            let listed = if list.len() == 1 { key.strip_suffix('s').unwrap_or(key) } else { key };
            let message = format!("{} has {} {listed}, not {min} to {max}", fields.what, list.len());
            self.note(ProblemCode::WrongCount, place, message, format!("write {min} to {max} {key}"));
        }
        &list[..list.len().min(bounds::ITEMS.into_inner().1)]
    }

    fn note(
        &mut self,
        code: ProblemCode,
        place: At<()>,
        message: impl Into<String>,
        cure: impl Into<String>,
    ) {
        let (message, cure) = (message.into(), cure.into());
        let (severity, line, column) = (code.severity(), place.line, place.column);
        self.problems.push(PackProblem { code, severity, line, column, message, cure });
    }
}

/// Whether `line` says the item as it is written. What could not be read is not blamed a second time.
fn accepts(target: Option<&Target>, line: &str) -> bool {
    target.is_none_or(|target| line.is_empty() || target.hear(&Heard::new(line)).how == How::Surface)
}

fn values(texts: Vec<At<String>>) -> Vec<String> {
    texts.into_iter().map(|text| text.value).collect()
}
