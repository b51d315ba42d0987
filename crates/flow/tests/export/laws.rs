//! The laws that these tests export.

use crate::export::dice::Dice;
use crate::export::random_law;
use flow::{Cause, Implied, Law, MAX_CHAIN, Machine, Origin, Overrides, Vocabulary};
use std::fmt::Write;

pub(crate) fn traffic() -> Machine {
    bound(include_str!("../laws/traffic.yaml"), None)
}

pub(crate) fn lesson() -> Machine {
    bound(include_str!("../laws/lesson.yaml"), None)
}

pub(crate) fn odd() -> Machine {
    bound(include_str!("../laws/odd.yaml"), None)
}

pub(crate) fn parts() -> Machine {
    bound(include_str!("../laws/parts.yaml"), None)
}

/// The laws, each with the name of its file and the number of traces to walk in it.
pub(crate) fn all() -> Vec<(String, Machine, usize)> {
    let mut laws = vec![
        ("traffic".to_owned(), traffic(), 10),
        ("lesson".to_owned(), lesson(), 100),
        ("odd".to_owned(), odd(), 80),
        ("parts".to_owned(), parts(), 80),
        ("first_dialect".to_owned(), first_dialect(), 20),
        ("queue".to_owned(), queue(), 20),
        ("chain".to_owned(), bound(&chain("WAIT"), None), 20),
        ("chain_to_the_end".to_owned(), bound(&chain("END"), None), 20),
    ];
    for seed in 0..25 {
        let source = random_law::write(seed, &mut Dice::new(seed));
        laws.push((format!("random_{seed}"), bound(&source, None), 8));
    }
    laws
}

/// A law whose timers are longer than those of most programs.
pub(crate) fn long_wait() -> Machine {
    let states = "
  WAIT: {after: {50d: late, 60d: stale}, on: {late: WARN, stale: GONE}}
  WARN: {after: {1d: stale}, on: {stale: GONE}}
  GONE: {type: final}
";
    bound(&format!("session: LongWait\nversion: 1\nstates:{states}"), None)
}

/// A deadline is all that grows here, and a state is named as a box could be.
pub(crate) fn queue() -> Machine {
    let states = "
  box_0_: {on: {go: waiting, leave: gone}}
  waiting: {on: {go: box_0_, leave: gone}}
  any of [box_0_, waiting]:
    after: {10s..1m x2: late}
    late: {target: asked, count: rounds}
  asked: {guard: rounds >= 3, on_true: gone, on_false: box_0_}
  gone: {type: final}
";
    let events = "{go: learner, leave: learner, late: silence}";
    bound(
        &format!("session: Queue\nversion: 1\ncounters: {{rounds: 0}}\nevents: {events}\nstates:{states}"),
        None,
    )
}

fn bound(source: &str, vocabulary: Option<&Vocabulary>) -> Machine {
    let law = Law::read(source).unwrap_or_else(|problems| panic!("{problems:#?}\n{source}"));
    Machine::bind(&law, vocabulary, &Overrides::new())
        .unwrap_or_else(|problems| panic!("{problems:#?}\n{source}"))
}

fn first_dialect() -> Machine {
    let implied = [
        (Cause::Action("clear"), &[] as &[_], &["good", "bad"] as &[_]),
        (Cause::Action("note_hit"), &["good"], &[]),
        (Cause::Action("note_miss"), &["bad"], &[]),
        (Cause::Event("stop"), &["bad", "bad"], &["good"]),
        (Cause::Event("wave"), &["good"], &["bad"]),
    ];
    let vocabulary = Vocabulary {
        session: "FirstDialect",
        actions: vec!["clear", "note_hit", "note_miss", "never_used"],
        events: ["go", "hit", "miss", "wave", "stop"].map(|name| (name, Origin::Learner)).to_vec(),
        implied: implied.map(|(cause, count, reset)| Implied { cause, count, reset }).to_vec(),
        ..Vocabulary::default()
    };
    bound(include_str!("../laws/first_dialect.yaml"), Some(&vocabulary))
}

/// A law of choices in a row: exactly as many as one event may run through, and one and two more.
fn chain(to: &str) -> String {
    let last = MAX_CHAIN + 1;
    // Sessions with the same name would share a Kotlin package.
    let mut law = format!("session: ChainTo{to}\nversion: 1\nstates:\n  WAIT:\n    on:\n");
    for first in 1..=4 {
        let _ = writeln!(law, "      from_{first}: C{first}");
    }
    for at in 1..=last {
        let next = if at == last { to.to_owned() } else { format!("C{}", at + 1) };
        let _ = writeln!(law, "  C{at}:\n    guard: true\n    on_true: {next}");
    }
    law + "  END: {type: final}\n"
}
