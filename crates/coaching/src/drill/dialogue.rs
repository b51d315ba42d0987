//! Small dialogues that a model invents: the request, and the check of the reply.

use super::Event;
use super::data::{Asked, Data};
use super::primer::Primer;
use super::repertoire::{Objection, Repertoire};
use crate::ask::shape::{object, text};
use crate::ask::{ModelAsk, Part};
use crate::pack::Item;
use crate::rejected::Rejected;
use crate::text::Heard;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The most items in the prompt. The least used ones come first.
const MAX_ITEMS: usize = 60;
const MAX_NAMES: usize = 20;
const MAX_SCENES: usize = 4;
const MAX_HEARD_CHARS: usize = 500;

const MAX_SAY_CHARS: usize = 160;
const MAX_MEANS_CHARS: usize = 240;
const MAX_SCENE_CHARS: usize = 400;
/// The limit of a reply, high enough for a model that thinks before it writes.
const MAX_OUTPUT_TOKENS: u32 = 1_000;
/// The time for a reply. After two seconds the learner has lost the thread, and the rules need a moment too.
const TIMEOUT_MS: u64 = 1_800;

/// The most words of an unusable reply that the model is told.
const MAX_TOLD: usize = 12;

/// A dialogue that the coach may say.
#[derive(Debug)]
pub(super) struct Dialogue {
    pub scene: String,
    pub say: String,
    pub means: String,
    /// The learned items in it.
    pub learned: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Reply {
    scene: String,
    say: String,
    means: String,
}

pub(super) fn ask(primer: &Primer, item: &Item, data: &Data, asked: Asked) -> ModelAsk {
    let languages =
        [("language", primer.pack.language.as_str()), ("explained_in", primer.pack.explained_in.as_str())];
    let mut parts = vec![Part::Own(task(primer, item, data, asked))];
    if let Some(feedback) = data.feedback.as_ref().filter(|feedback| feedback.is_attempt) {
        parts.push(Part::Learner(feedback.heard.chars().take(MAX_HEARD_CHARS).collect()));
    }
    ModelAsk {
        number: asked.number,
        name: "drill_dialogue".to_owned(),
        system: fill(include_str!("prompts/dialogue.md"), &languages),
        parts,
        schema: object([
            ("scene", text(MAX_SCENE_CHARS)),
            ("say", text(MAX_SAY_CHARS)),
            ("means", text(MAX_MEANS_CHARS)),
        ]),
        max_output_tokens: MAX_OUTPUT_TOKENS,
        timeout_ms: TIMEOUT_MS,
        answered_by: Event::TtsDone.name().to_owned(),
        shown: Vec::new(),
    }
}

/// Writes the task for the model. The texts of a pack go into the prompt as JSON, so that none of them can pass for
/// an instruction.
fn task(primer: &Primer, item: &Item, data: &Data, asked: Asked) -> String {
    let repertoire = Repertoire::new(primer, item, data);
    let listed: Vec<&Item> = std::iter::once(item).chain(repertoire.at_hand().take(MAX_ITEMS)).collect();
    let words: Map<String, Value> =
        listed.iter().map(|item| (gaps(&item.text), json!(item.meaning))).collect();
    let fillers = listed.iter().flat_map(|item| &item.fill).take(MAX_ITEMS);
    let fill_words: Vec<&String> = fillers.map(|filler| &filler.say).collect();
    let names: Vec<&String> = primer.pack.names.iter().take(MAX_NAMES).collect();
    let scenes: Vec<&String> = item.cues.iter().map(|cue| &cue.scene).take(MAX_SCENES).collect();
    let recall = if asked.is_unaided { "yes" } else { "no" };
    let values = [
        ("target", json!(gaps(&item.text)).to_string()),
        ("meaning", json!(item.meaning).to_string()),
        ("recall", recall.to_owned()),
        ("words", json!(words).to_string()),
        ("fill", json!(fill_words).to_string()),
        ("names", json!(names).to_string()),
        ("scenes", json!(scenes).to_string()),
    ];
    let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
    fill(include_str!("prompts/dialogue_task.md"), &values)
}

fn gaps(text: &str) -> String {
    text.replace("___", "…")
}

/// Judges a reply as if it came from a stranger, whatever was checked before. Rejects a dialogue that must not be
/// said.
pub(super) fn judge(
    primer: &Primer,
    item: &Item,
    data: &Data,
    asked: Asked,
    reply: &Value,
) -> Result<Dialogue, Rejected> {
    let Reply { scene, say, means } =
        Reply::deserialize(reply).map_err(|error| unusable(format!("the reply cannot be read: {error}")))?;
    for (what, text, max) in
        [("scene", &scene, MAX_SCENE_CHARS), ("say", &say, MAX_SAY_CHARS), ("means", &means, MAX_MEANS_CHARS)]
    {
        check_text(what, text, max)?;
    }
    if !Heard::new(&say).is_attempt() || say.contains("__") {
        return Err(unusable("`say` is not a line that anyone can say".to_owned()));
    }
    if asked.is_unaided && [&say, &scene].iter().any(|text| primer.is_said(&item.id, &Heard::new(text))) {
        return Err(unusable("the target is given away; the learner should recall it".to_owned()));
    }
    let learned =
        Repertoire::new(primer, item, data).weigh(&say).map_err(|objection| objected(primer, objection))?;
    Ok(Dialogue { scene, say, means, learned })
}

fn check_text(what: &str, text: &str, max_chars: usize) -> Result<(), Rejected> {
    if text.trim().is_empty() {
        return Err(unusable(format!("`{what}` is empty")));
    }
    if text.chars().count() > max_chars {
        return Err(unusable(format!("`{what}` is longer than {max_chars} characters")));
    }
    match text.chars().any(hides) {
        true => Err(unusable(format!("`{what}` has line breaks or characters that cannot be seen"))),
        false => Ok(()),
    }
}

/// Whether a character is a line break, a control character, or a mark that hides text or turns its direction.
fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

fn objected(primer: &Primer, objection: Objection<'_>) -> Rejected {
    match objection {
        Objection::Unknown(words) => unusable(format!(
            "`say` has words that the learner has not met: {}",
            json!(words.into_iter().take(MAX_TOLD).collect::<Vec<_>>())
        )),
        Objection::Resting(ids) => {
            let texts = ids.iter().filter_map(|id| primer.item(id)).map(|item| &item.text);
            let texts: Vec<&String> = texts.take(MAX_TOLD).collect();
            unusable(format!("`say` repeats what the last line had: {}", json!(texts)))
        }
    }
}

fn unusable(message: String) -> Rejected {
    Rejected {
        code: "unusable_reply",
        message: message.into(),
        cure: "write it again, with only the listed words and names in `say`".into(),
    }
}

/// Puts values into a prompt, in place of their names in braces.
fn fill(prompt: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(prompt.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

/// Returns the refusal of an answer to a question that is not open.
pub(super) fn answers_nothing() -> Rejected {
    Rejected {
        code: "not_asked",
        message: "this answers a question that is not open".into(),
        cure: "nothing needs to be done; the session has gone on without it".into(),
    }
}
