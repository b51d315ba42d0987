//! The steps that only this program has, about chats, messages, jobs, tools, documents, and several flows or
//! processes.

use flow::scenario::{Form, lines, list};

/// The meaning of a step of the program's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Own {
    /// The learner's events come from this chat from now on, and answers go there.
    FromChat(i64),
    /// The coach's lines go out as messages from now on, because no caller waits for them.
    NoOneWaits,
    /// The learner says or types this, as the flow's own event.
    Say {
        text: String,
        times: usize,
    },
    /// Several events happen at the same moment, each in its own process on the same data.
    AtOnce(Vec<(String, Option<String>)>),
    /// A tool of assistants is called.
    Call {
        tool: String,
        arguments: Option<String>,
    },
    /// A job of the calendar runs now.
    RunJob(String),
    /// A document about the learner is written, outside any flow.
    Remember {
        kind: String,
        key: String,
        body: String,
    },
    /// Another flow begins beside this one on the same data. Later steps are about it.
    Beside {
        flow: String,
        opening: Option<String>,
    },
    /// Later steps are about the newest flow of this name.
    TurnTo(String),
    /// A tool is called, refuses, and changes nothing.
    CallRefused {
        tool: String,
        arguments: String,
    },
    CoachSays {
        text: String,
        is_said: bool,
    },
    /// A document has this value at a place.
    Has {
        of: Document,
        pointer: String,
        value: String,
    },
    HasNothing {
        of: Document,
        pointer: String,
    },
    /// A document matches the pattern, which may describe only a part of it.
    IsLike {
        of: Document,
        pattern: String,
    },
    /// A document has exactly these parts, in this order.
    HasParts {
        of: Document,
        names: Vec<String>,
    },
    /// The learner has this many documents of a kind, optionally only those with this standing.
    Records {
        kind: String,
        standing: Option<String>,
        count: usize,
    },
    /// One of the documents of a kind has this value at a place.
    RecordHas {
        kind: String,
        pointer: String,
        value: String,
    },
    /// One of the documents of a kind matches the pattern.
    RecordIsLike {
        kind: String,
        pattern: String,
    },
}

/// A document that a check can look into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Document {
    /// The flow's view.
    View,
    /// A key-value entry, which is the flow's own without a key.
    Entry(Option<String>),
    /// The answer of the last tool, job or refusal.
    Answer,
    /// Every message sent outside of a reply so far, oldest first.
    Outbox,
    /// One document about the learner.
    Record { kind: String, key: String },
}

pub const FORMS: &[Form<Own>] = &[
    Form::does("the learner writes from chat {}", |a, _| Some(Own::FromChat(a[0].parse().ok()?))),
    Form::does("no one waits for an answer", |_, _| Some(Own::NoOneWaits)),
    Form::does("the learner says {}", |a, _| say(&a[0], "1")),
    Form::does("the learner says {} {} times", |a, _| say(&a[0], &a[1])),
    Form::does("these happen at once:", |_, below| Some(Own::AtOnce(lines(below?).map(event).collect()))),
    Form::does("{} is called", |a, _| Some(Own::Call { tool: a[0].clone(), arguments: None })),
    Form::does("{} is called with {}", |a, _| call(&a[0], Some(&a[1]))),
    Form::does("{} is called with:", |a, below| call(&a[0], below)),
    Form::does("the job {} runs", |a, _| Some(Own::RunJob(a[0].clone()))),
    Form::does("the {} record {} is:", |a, below| {
        Some(Own::Remember { kind: a[0].clone(), key: a[1].clone(), body: below?.to_owned() })
    }),
    Form::does("a {} begins beside it", |a, _| Some(Own::Beside { flow: a[0].clone(), opening: None })),
    Form::does("a {} begins beside it with {}", |a, _| {
        Some(Own::Beside { flow: a[0].clone(), opening: Some(a[1].clone()) })
    }),
    Form::does("attention turns to the {}", |a, _| Some(Own::TurnTo(a[0].clone()))),
    Form::checks("{} is refused when called with {}", |a, _| {
        Some(Own::CallRefused { tool: a[0].clone(), arguments: a[1].clone() })
    }),
    Form::checks("the coach says {}", |a, _| Some(Own::CoachSays { text: a[0].clone(), is_said: true })),
    Form::checks("the coach does not say {}", |a, _| {
        Some(Own::CoachSays { text: a[0].clone(), is_said: false })
    }),
    Form::checks("the view has {} at {}", |a, _| has(Document::View, &a[0], &a[1])),
    Form::checks("the view has:", |_, below| is_like(Document::View, below)),
    Form::checks("the entry has {} at {}", |a, _| has(Document::Entry(None), &a[0], &a[1])),
    Form::checks("the entry has:", |_, below| is_like(Document::Entry(None), below)),
    Form::checks("the entry {} has:", |a, below| is_like(Document::Entry(Some(a[0].clone())), below)),
    Form::checks("the answer is {}", |a, _| is_like(Document::Answer, Some(&a[0]))),
    Form::checks("the answer has nothing at {}", |a, _| {
        Some(Own::HasNothing { of: Document::Answer, pointer: a[0].clone() })
    }),
    Form::checks("the answer has {} at {}", |a, _| has(Document::Answer, &a[0], &a[1])),
    Form::checks("the answer has:", |_, below| is_like(Document::Answer, below)),
    Form::checks("the answer has the parts: {…}", |a, _| {
        Some(Own::HasParts { of: Document::Answer, names: list(&a[0]) })
    }),
    Form::checks("the outbox is empty", |_, _| is_like(Document::Outbox, Some("[]"))),
    Form::checks("the outbox has:", |_, below| is_like(Document::Outbox, below)),
    Form::checks("there are {} {} records", |a, _| records(&a[1], &a[0], None)),
    Form::checks("there are {} {} records at {}", |a, _| records(&a[1], &a[0], Some(a[2].clone()))),
    Form::checks("a {} record has {} at {}", |a, _| {
        Some(Own::RecordHas { kind: a[0].clone(), pointer: a[2].clone(), value: a[1].clone() })
    }),
    Form::checks("a {} record has:", |a, below| {
        Some(Own::RecordIsLike { kind: a[0].clone(), pattern: below?.to_owned() })
    }),
    Form::checks("the {} record {} has {} at {}", |a, _| has(record(&a[0], &a[1]), &a[2], &a[3])),
    Form::checks("the {} record {} has:", |a, below| is_like(record(&a[0], &a[1]), below)),
];

fn say(text: &str, times: &str) -> Option<Own> {
    Some(Own::Say { text: text.to_owned(), times: times.parse().ok()? })
}

fn call(tool: &str, arguments: Option<&str>) -> Option<Own> {
    Some(Own::Call { tool: tool.to_owned(), arguments: Some(arguments?.to_owned()) })
}

fn has(of: Document, value: &str, pointer: &str) -> Option<Own> {
    Some(Own::Has { of, pointer: pointer.to_owned(), value: value.to_owned() })
}

fn is_like(of: Document, pattern: Option<&str>) -> Option<Own> {
    Some(Own::IsLike { of, pattern: pattern?.to_owned() })
}

fn record(kind: &str, key: &str) -> Document {
    Document::Record { kind: kind.to_owned(), key: key.to_owned() }
}

fn records(kind: &str, count: &str, standing: Option<String>) -> Option<Own> {
    Some(Own::Records { kind: kind.to_owned(), standing, count: count.parse().ok()? })
}

/// Splits `EVENT` or `EVENT PAYLOAD`.
fn event(line: &str) -> (String, Option<String>) {
    match line.split_once(' ') {
        Some((event, payload)) => (event.to_owned(), Some(payload.trim().to_owned())),
        None => (line.to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_read_as_they_are_meant() {
        let at_once = vec![("go".into(), None), ("go".into(), Some("{\"a\": 1}".into()))];
        for (text, below, meaning) in [
            ("the learner says \"Guten Tag!\"", None, Own::Say { text: "Guten Tag!".into(), times: 1 }),
            ("the answer is null", None, Own::IsLike { of: Document::Answer, pattern: "null".into() }),
            (
                "the node record 7 has reviewing at status",
                None,
                Own::Has { of: record("node", "7"), pointer: "status".into(), value: "reviewing".into() },
            ),
            ("these happen at once:", Some("go\n  go {\"a\": 1}\n"), Own::AtOnce(at_once)),
        ] {
            assert_eq!(FORMS.iter().find_map(|form| form.read(text, below)), Some(meaning), "{text}");
        }
    }
}
