//! The wording of steps: every form that the engine knows, and how a line is matched with a form.

use super::Engine;
use crate::law::parse_duration_ms;

/// One way to word a step. `{}` is a word or a quoted text, `{…}` the rest of the line.
#[derive(Debug)]
pub struct Form<W> {
    pub words: &'static str,
    pub(super) is_check: bool,
    meaning: Meaning<W>,
}

/// The meaning of a step's arguments and the text below it; `None` if they make no sense.
type Meaning<W> = fn(&[String], Option<&str>) -> Option<W>;

impl<W> Form<W> {
    /// Makes a form of a step that does something.
    pub const fn does(words: &'static str, meaning: Meaning<W>) -> Form<W> {
        Form { words, is_check: false, meaning }
    }

    /// Makes a form of a step that checks something.
    pub const fn checks(words: &'static str, meaning: Meaning<W>) -> Form<W> {
        Form { words, is_check: true, meaning }
    }

    /// Returns the meaning of a line in this form, with the text below it; `None` if it has another form.
    pub fn read(&self, text: &str, below: Option<&str>) -> Option<W> {
        (self.meaning)(&arguments(self.words, text.trim())?, below)
    }
}

pub(super) const FORMS: &[Form<Engine>] = &[
    Form::does("the law {}", |a, _| Some(Engine::Law(a[0].clone()))),
    Form::does("the flow {}", |a, _| Some(Engine::Law(a[0].clone()))),
    Form::does("these names stand for:", |_, _| Some(Engine::Names)),
    Form::does("{} is set to {}", |a, _| Some(Engine::Set(a[0].clone(), a[1].parse().ok()?))),
    Form::does("it is opened with {}", |a, _| Some(Engine::Opening(a[0].clone()))),
    Form::does("it is opened with:", |_, below| Some(Engine::Opening(below?.to_owned()))),
    Form::does("a new session", |_, _| Some(Engine::Begin { id: None })),
    Form::does("a new session with the id {}", |a, _| Some(Engine::Begin { id: Some(a[0].clone()) })),
    Form::does("the session begins", |_, _| Some(Engine::Begin { id: None })),
    Form::does("the fact {} holds", |a, _| Some(Engine::Fact(a[0].clone(), true))),
    Form::does("the fact {} does not hold", |a, _| Some(Engine::Fact(a[0].clone(), false))),
    Form::does("{} happens", |a, _| happen(&a[0], "1", None)),
    Form::does("{} happens {} times", |a, _| happen(&a[0], &a[1], None)),
    Form::does("{} happens with {}", |a, _| happen(&a[0], "1", Some(a[1].clone()))),
    Form::does("{} happens {} times with {}", |a, _| happen(&a[0], &a[1], Some(a[2].clone()))),
    Form::does("{} happens with:", |a, below| happen(&a[0], "1", Some(below?.to_owned()))),
    Form::does("{} happens with each of:", |a, below| happen_each(&a[0], "0s", below?)),
    Form::does("{} happens every {} with each of:", |a, below| happen_each(&a[0], &a[1], below?)),
    Form::does("these happen: {…}", |a, _| happen(&a[0], "1", None)),
    Form::does("these happen {} times: {…}", |a, _| happen(&a[1], &a[0], None)),
    Form::does("{} passes", |a, _| Some(Engine::Pass { millis: parse_duration_ms(&a[0])? })),
    Form::does("the process crashes and starts again", |_, _| Some(Engine::Crash)),
    Form::checks("the state is {}", |a, _| Some(Engine::StateIs(a[0].clone()))),
    Form::checks("the counter {} is {}", |a, _| Some(Engine::CounterIs(bare(&a[0]), a[1].parse().ok()?))),
    Form::checks("the session has ended with {}", |a, _| Some(Engine::EndedWith(a[0].clone()))),
    Form::checks("the session is still open", |_, _| Some(Engine::IsOpen)),
    Form::checks("{} is refused", |a, _| refused(&a[0], None)),
    Form::checks("{} is refused with {}", |a, _| refused(&a[0], Some(&a[1]))),
    Form::checks("{} is refused with:", |a, below| refused(&a[0], Some(below?))),
    Form::checks("{} was performed", |a, _| Some(Engine::Performed { action: a[0].clone(), times: None })),
    Form::checks("{} was performed {} times", |a, _| performed(&a[0], &a[1])),
    Form::checks("{} was not performed", |a, _| performed(&a[0], "0")),
    Form::checks("the session went through: {…}", |a, _| Some(Engine::WentThrough(list(&a[0])))),
    Form::checks("a replay of the log gives the same state", |_, _| Some(Engine::ReplayMatches)),
];

fn happen(events: &str, times: &str, payload: Option<String>) -> Option<Engine> {
    Some(Engine::Happen { events: list(events), times: times.parse().ok()?, payload })
}

fn happen_each(event: &str, apart: &str, payloads: &str) -> Option<Engine> {
    let payloads = lines(payloads).map(str::to_owned).collect();
    Some(Engine::HappenEach { event: event.to_owned(), payloads, apart_ms: parse_duration_ms(apart)? })
}

fn refused(event: &str, payload: Option<&str>) -> Option<Engine> {
    Some(Engine::Refused { event: event.to_owned(), payload: payload.map(str::to_owned) })
}

fn performed(action: &str, times: &str) -> Option<Engine> {
    Some(Engine::Performed { action: action.to_owned(), times: Some(times.parse().ok()?) })
}

fn bare(name: &str) -> String {
    name.strip_prefix("counters.").unwrap_or(name).to_owned()
}

/// Splits names at commas or arrows.
pub fn list(text: &str) -> Vec<String> {
    let words = text.split([',', '→']).map(str::trim).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// Returns the lines of a text that have anything on them.
pub fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// A form with its distance from a misspelt step.
pub(super) struct Near {
    pub(super) words: &'static str,
    distance: f64,
}

impl Near {
    /// Whether the step was probably meant to have this form: at least half of its fixed words are there.
    pub(super) fn is_meant(&self) -> bool {
        let fixed = self.words.split(' ').filter(|word| !word.starts_with('{')).count();
        2.0 * self.distance <= fixed as f64
    }
}

/// Ranks all forms, the nearest to a misspelt step first.
pub(super) fn ranked(text: &str, forms: impl Iterator<Item = &'static str>) -> Vec<Near> {
    let mut said = Vec::new();
    let mut rest = text.trim();
    while let Some((word, after)) = argument(rest) {
        said.push(word);
        rest = after.trim_start();
    }
    let mut ranked: Vec<Near> = forms.map(|words| Near { words, distance: edits(words, &said) }).collect();
    ranked.sort_by(|one, other| one.distance.total_cmp(&other.distance));
    ranked
}

/// Counts the words that have to be added, dropped or changed. A word that is nearly right counts only in part, and
/// any word can stand for an argument.
fn edits(form: &str, said: &[String]) -> f64 {
    let mut row: Vec<f64> = (0..=said.len()).map(|count| count as f64).collect();
    for (at, wanted) in form.split(' ').enumerate() {
        let mut next = vec![(at + 1) as f64];
        for (column, word) in said.iter().enumerate() {
            let change = match wanted.starts_with('{') {
                true => 0.0,
                false => 1.0 - strsim::normalized_damerau_levenshtein(wanted, word),
            };
            next.push((row[column] + change).min(row[column + 1] + 1.0).min(next[column] + 1.0));
        }
        row = next;
    }
    row[said.len()]
}

/// Returns the arguments of a line in this form; `None` if it has another.
fn arguments(form: &str, text: &str) -> Option<Vec<String>> {
    let mut arguments = Vec::new();
    let mut rest = text;
    for part in form.split_inclusive(' ') {
        let word = part.trim_end();
        match word {
            "{…}" => {
                arguments.push(rest.to_owned());
                rest = "";
            }
            "{}" => {
                let (argument, after) = argument(rest)?;
                arguments.push(argument);
                rest = after.trim_start();
            }
            _ => {
                let after = rest.strip_prefix(word)?;
                if !after.is_empty() && !after.starts_with(' ') {
                    return None;
                }
                rest = after.trim_start();
            }
        }
    }
    rest.is_empty().then_some(arguments)
}

/// Splits off the first argument: a quoted text, or everything up to the next blank.
fn argument(text: &str) -> Option<(String, &str)> {
    for (open, close) in [('"', '"'), ('`', '`'), ('“', '”')] {
        if let Some(quoted) = text.strip_prefix(open) {
            let end = quoted.find(close)?;
            return Some((quoted[..end].to_owned(), &quoted[end + close.len_utf8()..]));
        }
    }
    let end = text.find(' ').unwrap_or(text.len());
    (end > 0).then(|| (text[..end].to_owned(), &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_read_as_they_are_meant() {
        for (text, meaning) in [
            ("the state is WAIT", Some(Engine::StateIs("WAIT".into()))),
            ("the counter counters.usage is 3", Some(Engine::CounterIs("usage".into(), 3))),
            (
                "these happen 2 times: a, b",
                Some(Engine::Happen { events: vec!["a".into(), "b".into()], times: 2, payload: None }),
            ),
            (
                "\"go on\" happens",
                Some(Engine::Happen { events: vec!["go on".into()], times: 1, payload: None }),
            ),
            ("20s passes", Some(Engine::Pass { millis: 20_000 })),
            ("the state is", None),
            ("the counter usage is many", None),
        ] {
            assert_eq!(FORMS.iter().find_map(|form| form.read(text, None)), meaning, "{text}");
        }
    }

    #[test]
    fn a_misspelt_step_finds_its_form() {
        for (text, form) in [
            ("the stat is OPEN", Some("the state is {}")),
            ("coin hapens", Some("{} happens")),
            ("the sessions wents through: A", Some("the session went through: {…}")),
            ("the session ended with done", Some("the session has ended with {}")),
            ("pigs fly", None),
            ("", None),
        ] {
            let ranked = ranked(text, FORMS.iter().map(|form| form.words));
            let meant = ranked.into_iter().next().filter(Near::is_meant);
            assert_eq!(meant.map(|near| near.words), form, "{text}");
        }
    }
}
