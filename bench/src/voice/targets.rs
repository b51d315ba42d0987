//! Measures which sounds count as saying a word of a pack, decided as in a drill.

use super::people::say;
use super::{DARK, Listener, other_voice, row, told};
use crate::bench::Bench;
use crate::row::{Better, Row};
use ::voice::ears::Recording;
use ::voice::layers::Recogniser;
use ::voice::{Sound, Trouble};
use coaching::text::{Heard, Target, Words};
use shell::voice::fitting::{Article, Fit, fit, heard_article};

/// The pack whose words are asked; phrases with an article are asked too, because an article can be wrong.
const PACK: &str = "german-first-words";
const MOST: usize = 24;
const ARTICLES: [(&str, &[&str]); 29] = [
    ("der Hund", &["die Hund", "das Hund"]),
    ("die Katze", &["der Katze", "das Katze"]),
    ("das Brot", &["die Brot", "der Brot"]),
    ("der Tisch", &["die Tisch", "das Tisch"]),
    ("die Lampe", &["der Lampe", "das Lampe"]),
    ("der Apfel", &["die Apfel", "das Apfel"]),
    ("die Straße", &["der Straße", "das Straße"]),
    ("das Haus", &["die Haus", "der Haus"]),
    ("der Schlüssel", &["die Schlüssel", "das Schlüssel"]),
    ("die Tasche", &["der Tasche", "das Tasche"]),
    ("das Fenster", &["die Fenster", "der Fenster"]),
    ("der Bahnhof", &["die Bahnhof", "das Bahnhof"]),
    ("die Blume", &["der Blume", "das Blume"]),
    ("das Auto", &["die Auto", "der Auto"]),
    ("der Garten", &["die Garten", "das Garten"]),
    ("die Rechnung", &["der Rechnung", "das Rechnung"]),
    ("das Wasser", &["die Wasser", "der Wasser"]),
    ("der Löffel", &["die Löffel", "das Löffel"]),
    ("die Gabel", &["der Gabel", "das Gabel"]),
    ("das Messer", &["die Messer", "der Messer"]),
    ("der Zug", &["die Zug", "das Zug"]),
    ("die Woche", &["der Woche", "das Woche"]),
    ("das Kind", &["die Kind", "der Kind"]),
    ("der Stuhl", &["die Stuhl", "das Stuhl"]),
    ("die Uhr", &["der Uhr", "das Uhr"]),
    ("das Zimmer", &["die Zimmer", "der Zimmer"]),
    ("einen Kaffee", &["eine Kaffee"]),
    ("eine Suppe", &["einen Suppe"]),
    ("ein Bier", &["eine Bier"]),
];

pub(super) fn rows(bench: &Bench, listener: &mut Listener) -> Result<Vec<Row>, String> {
    let items = items();
    let phrases =
        ARTICLES.iter().flat_map(|(right, wrong)| std::iter::once(*right).chain(wrong.iter().copied()));
    let spoken: Vec<&str> = items.iter().map(String::as_str).chain(phrases).collect();
    let folder = say(bench, "targets", spoken.iter().map(|text| ("de", *text)))?;
    let mut asked: Vec<(&str, &str)> = Vec::new();
    for (at, said) in items.iter().enumerate() {
        // The targets are the right word, the next one and one far away.
        let targets = [at, at + 1, at + items.len() / 2].map(|at| items[at % items.len()].as_str());
        asked.extend(targets.map(|target| (said.as_str(), target)));
    }
    for (right, wrong) in ARTICLES {
        asked.push((right, right));
        asked.extend(wrong.iter().map(|wrong| (*wrong, right)));
    }
    let [mut right, mut wrong, mut articles] = [Tally::default(); 3];
    for (said, target) in asked.into_iter().step_by(if bench.is_quick { 8 } else { 1 }) {
        let is_article = ARTICLES.iter().any(|(_, wrong)| wrong.contains(&said));
        let tally = match said == target {
            true => &mut right,
            false if is_article => &mut articles,
            false => &mut wrong,
        };
        let at = spoken.iter().position(|text| *text == said).ok_or("it is spoken above")?;
        let sound = other_voice(&folder, DARK, at).map_err(told)?;
        let verdict = judge(listener, &sound, target, &items).map_err(told)?;
        tally.all += 1;
        tally.counted += usize::from(verdict == Verdict::Counts);
        tally.unclear += usize::from(verdict == Verdict::Unclear);
        if (verdict == Verdict::Counts) != (said == target) {
            println!("“{said}” for “{target}”: {verdict:?}");
        }
    }
    let rows = [
        ("right words", &right, Better::More, 85.0),
        ("other words", &wrong, Better::Less, 5.0),
        ("wrong articles", &articles, Better::Less, 0.0),
    ];
    Ok(rows
        .into_iter()
        .flat_map(|(what, tally, better, target)| {
            let share = |count: usize| 100.0 * count as f64 / tally.all.max(1) as f64;
            [
                row(
                    &format!("{what} that count, of {}", tally.all),
                    "%",
                    better,
                    Some(target),
                    share(tally.counted),
                ),
                row(
                    &format!("{what} that have to be repeated, of {}", tally.all),
                    "%",
                    Better::Less,
                    None,
                    share(tally.unclear),
                ),
            ]
        })
        .collect())
}

/// How often something counted, and how often the coach was not sure.
#[derive(Default, Clone, Copy)]
struct Tally {
    all: usize,
    counted: usize,
    unclear: usize,
}

#[derive(Debug, PartialEq)]
enum Verdict {
    Counts,
    Unclear,
    No,
}

fn items() -> Vec<String> {
    let packs = shell::builtin::packs(None);
    let pack = packs.iter().find(|pack| pack.id == PACK);
    let texts = pack.into_iter().flat_map(|pack| &pack.items).map(|item| item.text.clone());
    let plain = texts.filter(|text| !text.contains(['_', '/']) && Words::new(text).iter().count() <= 3);
    plain.take(MOST).collect()
}

/// Whether a word counts: the transcript contains it, or the sound fits it.
fn judge(listener: &mut Listener, said: &Sound, target: &str, items: &[String]) -> Result<Verdict, Trouble> {
    let recording: Recording = listener.record(said)?;
    let text = listener.recognisers.transcribe(&recording, "de")?;
    let is_written =
        |text: &str| Target::parse(target).is_ok_and(|target| target.hear(&Heard::spoken(text)).matched);
    let recognisers = &mut listener.recognisers;
    if is_written(&text) {
        return Ok(match heard_article(recognisers, &recording, "de", &text, &is_written)? {
            Article::Heard => Verdict::Counts,
            Article::Other(text) if is_written(&text) => Verdict::Counts,
            Article::Other(_) => Verdict::No,
            Article::Unclear => Verdict::Unclear,
        });
    }
    Ok(match fit(recognisers, &recording, "de", target, items, &text)? {
        Fit::Fits { .. } => Verdict::Counts,
        Fit::Unclear => Verdict::Unclear,
        Fit::No => Verdict::No,
    })
}
