//! What counts as saying a word of a pack, decided as in a drill.

use super::{Listener, line, row};
use crate::bench::Bench;
use crate::row::{Better, Row};
use ::voice::Trouble;
use ::voice::ears::Recording;
use ::voice::layers::Recogniser;
use coaching::text::{Heard, Target, Words};
use etude::voice::holding::margin;

/// Words of the pack, and phrases with an article, which has wrong ones.
const PACK: &str = "german-first-words";
const MOST: usize = 24;
const ARTICLES: [(&str, &str); 8] = [
    ("der Hund", "die Hund"),
    ("die Katze", "der Katze"),
    ("das Brot", "der Brot"),
    ("der Tisch", "das Tisch"),
    ("die Lampe", "das Lampe"),
    ("einen Kaffee", "eine Kaffee"),
    ("eine Suppe", "einen Suppe"),
    ("ein Bier", "eine Bier"),
];

pub(super) fn rows(bench: &Bench, listener: &mut Listener) -> Result<Vec<Row>, Trouble> {
    let items = items();
    let mut asked: Vec<(&str, &str)> = Vec::new();
    for (at, said) in items.iter().enumerate() {
        // The right word, the next one and one far away.
        let targets = [at, at + 1, at + items.len() / 2].map(|at| items[at % items.len()].as_str());
        asked.extend(targets.map(|target| (said.as_str(), target)));
    }
    asked.extend(ARTICLES.iter().flat_map(|(right, wrong)| [(*right, *right), (*wrong, *right)]));
    let (mut right, mut wrong, mut articles) = ([0, 0], [0, 0], [0, 0]);
    for (said, target) in asked.into_iter().step_by(if bench.is_quick { 8 } else { 1 }) {
        let is_article = ARTICLES.iter().any(|(_, wrong)| *wrong == said);
        let count = match said == target {
            true => &mut right,
            false if is_article => &mut articles,
            false => &mut wrong,
        };
        let is_accepted = counts(listener, said, target, &items)?;
        count[0] += usize::from(is_accepted);
        count[1] += 1;
        if is_accepted != (said == target) {
            println!("“{said}” {} as “{target}”", if is_accepted { "counts" } else { "does not count" });
        }
    }
    let share = |[accepted, all]: [usize; 2]| 100.0 * accepted as f64 / all.max(1) as f64;
    Ok(vec![
        row(&format!("right words that count, of {}", right[1]), "%", Better::More, Some(85.0), share(right)),
        row(&format!("other words that count, of {}", wrong[1]), "%", Better::Less, Some(5.0), share(wrong)),
        row(
            &format!("wrong articles that count, of {}", articles[1]),
            "%",
            Better::Less,
            Some(0.0),
            share(articles),
        ),
    ])
}

fn items() -> Vec<String> {
    let packs = etude::builtin::packs(None);
    let pack = packs.iter().find(|pack| pack.id == PACK);
    let texts = pack.into_iter().flat_map(|pack| &pack.items).map(|item| item.text.clone());
    let plain = texts.filter(|text| !text.contains(['_', '/']) && Words::new(text).iter().count() <= 3);
    plain.take(MOST).collect()
}

/// Whether a word counts: it is in what was written down, or the sound fits it.
fn counts(listener: &mut Listener, said: &str, target: &str, items: &[String]) -> Result<bool, Trouble> {
    let sound = listener.voices.synthesise(&line("de", said))?;
    let recording: Recording = listener.record(&sound, None)?;
    let text = listener.recognisers.transcribe(&recording, "de")?;
    let is_written = Target::parse(target).is_ok_and(|target| target.hear(&Heard::spoken(&text)).matched);
    Ok(is_written || margin(&mut listener.recognisers, &recording, "de", target, items, &text)?.is_some())
}
