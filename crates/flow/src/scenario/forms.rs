//! The vocabulary of scenarios: every form that a step can have, and what it means.

use super::{Document, What};

type Build = fn(&[String], Option<&str>) -> Option<What>;

/// The whole vocabulary. `{}` is a word or a quoted text, `{…}` the rest of the line.
const FORMS: &[(&str, Build)] = &[
    ("the law {}", |a, _| Some(What::Law(a[0].clone()))),
    ("the flow {}", |a, _| Some(What::Law(a[0].clone()))),
    ("these names stand for:", |_, _| Some(What::Names)),
    ("{} is set to {}", |a, _| Some(What::Set(a[0].clone(), a[1].parse().ok()?))),
    ("it is opened with {}", |a, _| Some(What::Opening(a[0].clone()))),
    ("it is opened with:", |_, doc| Some(What::Opening(doc?.to_owned()))),
    ("a new session", |_, _| Some(What::Begin { id: None })),
    ("a new session with the id {}", |a, _| Some(What::Begin { id: Some(a[0].clone()) })),
    ("the session begins", |_, _| Some(What::Begin { id: None })),
    ("the learner writes from chat {}", |a, _| Some(What::FromChat(a[0].parse().ok()?))),
    ("nobody waits for an answer", |_, _| Some(What::NobodyWaits)),
    ("the fact {} holds", |a, _| Some(What::Fact(a[0].clone(), true))),
    ("the fact {} does not hold", |a, _| Some(What::Fact(a[0].clone(), false))),
    ("{} happens", |a, _| happen(&a[0], "1", None)),
    ("{} happens {} times", |a, _| happen(&a[0], &a[1], None)),
    ("{} happens with {}", |a, _| happen(&a[0], "1", Some(a[1].clone()))),
    ("{} happens with:", |a, doc| happen(&a[0], "1", Some(doc?.to_owned()))),
    ("{} happens with each of:", |a, doc| happen_each(&a[0], "0s", doc?)),
    ("{} happens every {} with each of:", |a, doc| happen_each(&a[0], &a[1], doc?)),
    ("these happen at once:", |_, doc| Some(What::AtOnce(lines(doc?).map(event).collect()))),
    ("{} is called", |a, _| Some(What::Call { tool: a[0].clone(), arguments: None })),
    ("{} is called with {}", |a, _| call(&a[0], Some(&a[1]))),
    ("{} is called with:", |a, doc| call(&a[0], doc)),
    ("the job {} runs", |a, _| Some(What::RunJob(a[0].clone()))),
    ("the {} record {} is:", |a, doc| {
        Some(What::Remember { kind: a[0].clone(), key: a[1].clone(), body: doc?.to_owned() })
    }),
    ("these happen: {…}", |a, _| happen(&a[0], "1", None)),
    ("these happen {} times: {…}", |a, _| happen(&a[1], &a[0], None)),
    ("the learner says {}", |a, _| Some(What::Say { text: a[0].clone(), times: 1 })),
    ("the learner says {} {} times", |a, _| {
        Some(What::Say { text: a[0].clone(), times: a[1].parse().ok()? })
    }),
    ("{} passes", |a, _| Some(What::Pass { millis: crate::law::parse_duration_ms(&a[0])? })),
    ("a {} begins beside it", |a, _| Some(What::Beside { flow: a[0].clone(), opening: None })),
    ("a {} begins beside it with {}", |a, _| {
        Some(What::Beside { flow: a[0].clone(), opening: Some(a[1].clone()) })
    }),
    ("attention turns to the {}", |a, _| Some(What::TurnTo(a[0].clone()))),
    ("the process crashes and starts again", |_, _| Some(What::Crash)),
    ("the state is {}", |a, _| Some(What::StateIs(a[0].clone()))),
    ("the counter {} is {}", |a, _| Some(What::CounterIs(bare(&a[0]), a[1].parse().ok()?))),
    ("the session has ended with {}", |a, _| Some(What::EndedWith(a[0].clone()))),
    ("the session is still open", |_, _| Some(What::IsOpen)),
    ("{} is refused", |a, _| Some(What::Refused { event: a[0].clone(), payload: None })),
    ("{} is refused with {}", |a, _| {
        Some(What::Refused { event: a[0].clone(), payload: Some(a[1].clone()) })
    }),
    ("{} is refused with:", |a, doc| {
        Some(What::Refused { event: a[0].clone(), payload: Some(doc?.to_owned()) })
    }),
    ("{} is refused when called with {}", |a, _| {
        Some(What::CallRefused { tool: a[0].clone(), arguments: Some(a[1].clone()) })
    }),
    ("{} was performed", |a, _| Some(What::Performed { action: a[0].clone(), times: None })),
    ("{} was performed {} times", |a, _| performed(&a[0], &a[1])),
    ("{} was not performed", |a, _| performed(&a[0], "0")),
    ("the session went through: {…}", |a, _| Some(What::WentThrough(list(&a[0])))),
    ("the view has {} at {}", |a, _| has(Document::View, &a[0], &a[1])),
    ("the view has:", |_, doc| is_like(Document::View, doc)),
    ("the entry has {} at {}", |a, _| has(Document::Entry(None), &a[0], &a[1])),
    ("the entry has:", |_, doc| is_like(Document::Entry(None), doc)),
    ("the entry {} has:", |a, doc| is_like(Document::Entry(Some(a[0].clone())), doc)),
    ("the answer is {}", |a, _| is_like(Document::Answer, Some(&a[0]))),
    ("the answer has nothing at {}", |a, _| {
        Some(What::HasNothing { of: Document::Answer, pointer: a[0].clone() })
    }),
    ("the answer has {} at {}", |a, _| has(Document::Answer, &a[0], &a[1])),
    ("the answer has:", |_, doc| is_like(Document::Answer, doc)),
    ("the answer has the parts: {…}", |a, _| {
        Some(What::HasParts { of: Document::Answer, names: list(&a[0]) })
    }),
    ("the outbox is empty", |_, _| is_like(Document::Outbox, Some("[]"))),
    ("the outbox has:", |_, doc| is_like(Document::Outbox, doc)),
    ("there are {} {} records", |a, _| records(&a[1], &a[0], None)),
    ("there are {} {} records at {}", |a, _| records(&a[1], &a[0], Some(a[2].clone()))),
    ("a {} record has {} at {}", |a, _| {
        Some(What::RecordHas { kind: a[0].clone(), pointer: a[2].clone(), value: a[1].clone() })
    }),
    ("a {} record has:", |a, doc| Some(What::RecordIsLike { kind: a[0].clone(), pattern: doc?.to_owned() })),
    ("the {} record {} has {} at {}", |a, _| has(record(&a[0], &a[1]), &a[2], &a[3])),
    ("the {} record {} has:", |a, doc| is_like(record(&a[0], &a[1]), doc)),
    ("the coach says {}", |a, _| Some(What::CoachSays { text: a[0].clone(), is_said: true })),
    ("the coach does not say {}", |a, _| Some(What::CoachSays { text: a[0].clone(), is_said: false })),
    ("a replay of the log gives the same state", |_, _| Some(What::ReplayMatches)),
];

pub(super) fn parse(text: &str, docstring: Option<&str>) -> Option<What> {
    let text = text.trim();
    FORMS.iter().find_map(|(form, build)| build(&matches(form, text)?, docstring))
}

/// A form, and how far a misspelt step is from it.
pub(super) struct Near {
    pub(super) form: &'static str,
    distance: f64,
}

impl Near {
    /// Whether the step was probably meant to have this form: at least half of its own words are there.
    pub(super) fn is_meant(&self) -> bool {
        let own_words = self.form.split(' ').filter(|word| !word.starts_with('{')).count();
        2.0 * self.distance <= own_words as f64
    }
}

/// All forms, the nearest to a misspelt step first.
pub(super) fn ranked(text: &str) -> Vec<Near> {
    let mut said = Vec::new();
    let mut rest = text.trim();
    while let Some((word, after)) = argument(rest) {
        said.push(word);
        rest = after.trim_start();
    }
    let mut ranked: Vec<Near> =
        FORMS.iter().map(|(form, _)| Near { form, distance: edits(form, &said) }).collect();
    ranked.sort_by(|one, other| one.distance.total_cmp(&other.distance));
    ranked
}

/// How many words have to be added, dropped or changed. A word that is nearly right counts only in part, and
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

fn happen(events: &str, times: &str, payload: Option<String>) -> Option<What> {
    Some(What::Happen { events: list(events), times: times.parse().ok()?, payload })
}

fn happen_each(event: &str, apart: &str, payloads: &str) -> Option<What> {
    Some(What::HappenEach {
        event: event.to_owned(),
        payloads: lines(payloads).map(str::to_owned).collect(),
        apart_ms: crate::law::parse_duration_ms(apart)?,
    })
}

fn call(tool: &str, arguments: Option<&str>) -> Option<What> {
    Some(What::Call { tool: tool.to_owned(), arguments: Some(arguments?.to_owned()) })
}

fn has(of: Document, value: &str, pointer: &str) -> Option<What> {
    Some(What::Has { of, pointer: pointer.to_owned(), value: value.to_owned() })
}

fn is_like(of: Document, pattern: Option<&str>) -> Option<What> {
    Some(What::IsLike { of, pattern: pattern?.to_owned() })
}

fn record(kind: &str, key: &str) -> Document {
    Document::Record { kind: kind.to_owned(), key: key.to_owned() }
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// `EVENT` or `EVENT PAYLOAD`.
fn event(line: &str) -> (String, Option<String>) {
    match line.split_once(' ') {
        Some((event, payload)) => (event.to_owned(), Some(payload.trim().to_owned())),
        None => (line.to_owned(), None),
    }
}

fn records(kind: &str, count: &str, standing: Option<String>) -> Option<What> {
    Some(What::Records { kind: kind.to_owned(), standing, count: count.parse().ok()? })
}

fn performed(action: &str, times: &str) -> Option<What> {
    Some(What::Performed { action: action.to_owned(), times: Some(times.parse().ok()?) })
}

fn bare(name: &str) -> String {
    name.strip_prefix("counters.").unwrap_or(name).to_owned()
}

fn list(text: &str) -> Vec<String> {
    let words = text.split([',', '→']).map(str::trim).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// The arguments, when the text has the form.
fn matches(form: &str, text: &str) -> Option<Vec<String>> {
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

/// A quoted text, or everything up to the next blank.
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
        for (text, what) in [
            ("the state is WAIT", What::StateIs("WAIT".into())),
            ("the counter counters.usage is 3", What::CounterIs("usage".into(), 3)),
            (
                "these happen 2 times: a, b",
                What::Happen { events: vec!["a".into(), "b".into()], times: 2, payload: None },
            ),
            ("the learner says \"Guten Tag!\"", What::Say { text: "Guten Tag!".into(), times: 1 }),
            ("20s passes", What::Pass { millis: 20_000 }),
            ("the answer is null", What::IsLike { of: Document::Answer, pattern: "null".into() }),
            (
                "the node record 7 has reviewing at status",
                What::Has {
                    of: Document::Record { kind: "node".into(), key: "7".into() },
                    pointer: "status".into(),
                    value: "reviewing".into(),
                },
            ),
        ] {
            assert_eq!(parse(text, None), Some(what), "{text}");
        }
        let at_once = vec![("go".into(), None), ("go".into(), Some("{\"a\": 1}".into()))];
        assert_eq!(
            parse("these happen at once:", Some("go\n  go {\"a\": 1}\n")),
            Some(What::AtOnce(at_once))
        );
        assert_eq!(parse("the state is", None), None);
        assert_eq!(parse("the counter usage is many", None), None);
    }

    #[test]
    fn a_misspelt_step_finds_its_form() {
        for (text, form) in [
            ("the stat is OPEN", Some("the state is {}")),
            ("coin hapens", Some("{} happens")),
            ("the learner say \"Guten Tag!\"", Some("the learner says {}")),
            ("the session ended with done", Some("the session has ended with {}")),
            ("pigs fly", None),
            ("", None),
        ] {
            let meant = ranked(text).into_iter().next().filter(Near::is_meant);
            assert_eq!(meant.map(|near| near.form), form, "{text}");
        }
    }
}
