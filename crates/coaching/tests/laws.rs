//! Tests that laws and the code that reads them fit together, in both directions.

use coaching::agent::AgentCoach;
use coaching::attempt::Attempt;
use coaching::drill::Drill;
use coaching::face::Face;
use coaching::teach::{Course, Review};
use coaching::turn::Flow;
use coaching::voice::VoiceLoop;
use flow::{Bounds, Code, Law, Overrides, Severity, check};

const FACES: [Face; 6] =
    [AgentCoach::FACE, Attempt::FACE, Course::FACE, Drill::FACE, Review::FACE, VoiceLoop::FACE];

/// Replaces `from` by `to` wherever it stands as a word of its own.
fn renamed(source: &str, from: &str, to: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let mut words = String::new();
    let mut rest = source;
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let is_word = !before.ends_with(is_part) && !after.starts_with(is_part);
        words.push_str(before);
        words.push_str(if is_word { to } else { from });
        rest = after;
    }
    words + rest
}

fn errors(face: &Face, source: &str) -> Vec<String> {
    let law = Law::read(source).unwrap();
    let report = check(&law, Some(&(face.vocabulary)()), &Overrides::new(), Bounds::default());
    let problems = report.unwrap_or_else(|problems| panic!("{}: {problems:#?}", face.name)).problems;
    let errors = problems.into_iter().filter(|problem| problem.severity == Severity::Error);
    errors
        .map(|problem| {
            assert_eq!(problem.code, Code::UnknownName, "{problem:#?}");
            problem.message
        })
        .collect()
}

/// A renamed counter or attribute would read as 0 or as nothing, so such a law does not run.
#[test]
fn a_law_has_what_its_flow_reads() {
    for face in FACES {
        assert_eq!(errors(&face, face.law), [""; 0], "{}", face.name);
        let known = (face.vocabulary)();
        let attributes = known.attributes.iter().map(|(name, _)| ("attribute", name));
        let read: Vec<_> = known.counters.iter().map(|name| ("counter", name)).chain(attributes).collect();
        assert!(!read.is_empty(), "{}", face.name);
        for (kind, name) in read {
            let other = renamed(face.law, name, &format!("{name}_2"));
            assert_ne!(other, face.law);
            let expected = format!("the flow reads the {kind} `{name}`, which the law does not have");
            assert_eq!(errors(&face, &other), [expected], "{}", face.name);
        }
    }
}

#[test]
fn an_attribute_has_the_values_that_its_flow_knows() {
    let check = |face: Face, [from, to]: [&str; 2], problem: &str| {
        let changed = face.law.replacen(from, to, 1);
        assert_ne!(changed, face.law, "{from}");
        assert_eq!(errors(&face, &changed), [problem], "{from}");
    };
    check(Attempt::FACE, ["asks: judge", "asks: jury"], "unknown value `jury` of `asks`");
    check(AgentCoach::FACE, ["because: risk", "because: danger"], "unknown value `danger` of `because`");
    check(VoiceLoop::FACE, ["reason: cap", "reason: limit"], "unknown value `limit` of `reason`");
}
