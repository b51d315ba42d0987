//! Properties that hold for every law, every guard and every input.

use flow::{Bounds, Expr, Facts, Instance, Law, Machine, Op, Overrides, Refused, StateId, Term};
use proptest::prelude::*;

const DRILL: &str = include_str!("../../coaching/src/drill/law.yaml");
const SMALL: Bounds = Bounds { configurations: 200_000 };

fn machine(source: &str) -> Machine {
    let law = Law::read(source).expect("a readable law");
    Machine::bind(&law, None, &Overrides::new()).expect("a law whose names are known")
}

/// Reads, binds and checks any text. Problems are fine; a panic is not.
fn survive(source: &str) {
    if let Ok(law) = Law::read(source) {
        let _ = flow::check(&law, None, &Overrides::new(), Bounds { configurations: 2_000 });
    }
}

fn arbitrary_guard() -> impl Strategy<Value = Expr> {
    let term = prop_oneof![
        (-3i64..6).prop_map(Term::Number),
        prop_oneof![Just("counters.a"), Just("b"), Just("limit")].prop_map(|name| Term::Name(name.into())),
    ];
    let op = prop_oneof![
        Just(Op::Less),
        Just(Op::LessOrEqual),
        Just(Op::Equal),
        Just(Op::NotEqual),
        Just(Op::GreaterOrEqual),
        Just(Op::Greater),
    ];
    let leaf = prop_oneof![
        (term.clone(), op, term).prop_map(|(left, op, right)| Expr::Compare(left, op, right)),
        prop_oneof![Just("sunny"), Just("facts.windy")].prop_map(|name| Expr::Ask(name.into())),
        any::<bool>().prop_map(Expr::Always),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Expr::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Expr::Or(Box::new(a), Box::new(b))),
            inner.prop_map(|a| Expr::Not(Box::new(a))),
        ]
    })
}

/// Evaluates a guard a second time, written as plainly as possible.
fn meaning(expr: &Expr, a: u32, b: u32, facts: Facts) -> bool {
    let value = |term: &Term| match term {
        Term::Number(number) => *number,
        Term::Name(name) if name == "limit" => 2,
        Term::Name(name) if name == "b" => i64::from(b),
        Term::Name(_) => i64::from(a),
    };
    match expr {
        Expr::Or(x, y) => meaning(x, a, b, facts) || meaning(y, a, b, facts),
        Expr::And(x, y) => meaning(x, a, b, facts) && meaning(y, a, b, facts),
        Expr::Not(x) => !meaning(x, a, b, facts),
        Expr::Compare(x, op, y) => op.holds(value(x), value(y)),
        Expr::Ask(name) => facts.holds(usize::from(name != "sunny")),
        Expr::Always(value) => *value,
    }
}

/// A law that counts `a` and `b` and then evaluates the guard.
fn law_around(guard: &Expr) -> String {
    format!(
        "session: G\nversion: 1\ncontext: {{limit: 2}}\ncounters: {{a: 0, b: 0}}\nfacts: [sunny, windy]\nstates:\n  \
         WAIT:\n    on: {{count_a: {{target: WAIT, count: a}}, count_b: {{target: WAIT, count: b}}, ask: ASK}}\n  \
         ASK: {{guard: \"{guard}\", on_true: YES, on_false: NO}}\n  YES: {{type: final}}\n  NO: {{type: final}}\n"
    )
}

/// Sends events by number, with facts that do not deny what the present state requires, and calls `see` for every
/// entered state.
fn walk(machine: &Machine, choices: &[(u8, u64)], mut see: impl FnMut(StateId)) -> Result<Instance, Refused> {
    let first = flow::begin(machine, Facts(u64::MAX))?;
    first.entered().for_each(&mut see);
    let mut at = first.to;
    for (choice, facts) in choices {
        let allowed: Vec<_> = machine.allowed(at.state).collect();
        if machine.is_final(at.state) {
            break;
        }
        assert!(!allowed.is_empty(), "stuck in {}", machine.state_name(at.state));
        let event = allowed[*choice as usize % allowed.len()];
        let facts = Facts(facts | machine.given(at.state).0);
        let step = flow::step(machine, &at, event, facts)?;
        let again = flow::step(machine, &at, event, facts)?;
        assert_eq!(
            (step.to, step.entered().collect::<Vec<_>>()),
            (again.to, again.entered().collect::<Vec<_>>()),
            "the same input gives the same output"
        );
        assert!(!step.stays() || step.to.state == at.state && step.actions(machine).next().is_none());
        step.entered().for_each(&mut see);
        at = step.to;
    }
    Ok(at)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>()) {
        survive(&text);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Law::read_bytes(&bytes);
    }

    #[test]
    fn a_damaged_law_is_read_without_a_panic(at in 0usize..4_000, cut in 0usize..60, put in "[ -~\n]{0,12}") {
        let mut text = DRILL.to_owned();
        let floor = |text: &str, mut at: usize| {
            while !text.is_char_boundary(at) { at -= 1; }
            at
        };
        let start = floor(&text, at.min(text.len()));
        let end = floor(&text, (start + cut).min(text.len()));
        text.replace_range(start..end.max(start), &put);
        survive(&text);
    }

    #[test]
    fn a_guard_reads_as_it_prints(guard in arbitrary_guard()) {
        prop_assert_eq!(Expr::parse(&guard.to_string()), Ok(guard));
    }

    #[test]
    fn any_guard_text_is_read_without_a_panic(text in any::<String>()) {
        let _ = Expr::parse(&text);
    }

    #[test]
    fn a_guard_evaluates_as_written(guard in arbitrary_guard(), a in 0u32..5, b in 0u32..5, facts in 0u64..4) {
        let machine = machine(&law_around(&guard));
        let event = |name| machine.event_named(name).expect("an event of the law");
        let mut at = flow::begin(&machine, Facts(0)).unwrap().to;
        for name in std::iter::repeat_n("count_a", a as usize).chain(std::iter::repeat_n("count_b", b as usize)) {
            at = flow::step(&machine, &at, event(name), Facts(0)).unwrap().to;
        }
        let to = flow::step(&machine, &at, event("ask"), Facts(facts)).unwrap().to;
        let expected = if meaning(&guard, a, b, Facts(facts)) { "YES" } else { "NO" };
        prop_assert_eq!(machine.state_name(to.state), expected);
    }

    #[test]
    fn a_proved_law_keeps_its_promises(choices in prop::collection::vec((any::<u8>(), any::<u64>()), 0..300)) {
        let machine = machine(DRILL);
        let end = walk(&machine, &choices, |_| {});
        prop_assert!(end.is_ok(), "a proved law broke a promise: {end:?}");
    }

    #[test]
    fn a_random_law_runs_as_proved(
        targets in prop::collection::vec((0usize..5, 0usize..5, 0usize..5, any::<bool>(), any::<bool>(), 0usize..4), 5),
        limit in 1u8..4,
        follow in prop::collection::vec(prop::bool::weighted(0.8), 9),
        choices in prop::collection::vec((any::<u8>(), any::<u64>()), 0..80),
    ) {
        let source = random_law(&targets, limit, &follow);
        let law = Law::read(&source).unwrap();
        let report = flow::check(&law, None, &Overrides::new(), SMALL).unwrap();
        prop_assert!(report.complete);
        if report.may_run() {
            let machine = machine(&source);
            let mut parts: Vec<usize> = Vec::new();
            let end = walk(&machine, &choices, |state| {
                let part = machine.attribute(state, "part").and_then(|part| PARTS.iter().position(|p| *p == part));
                parts.extend(part);
            });
            prop_assert!(end.is_ok(), "{source}\n{end:?}");
            let may_follow = |pair: &[usize]| pair[0] == pair[1] || follow[pair[0] * PARTS.len() + pair[1]];
            prop_assert!(parts.windows(2).all(may_follow), "{source}\n{parts:?}");
        }
    }
}

const PARTS: [&str; 3] = ["begin", "middle", "end"];

/// A law with five waiting states, a guard behind each, and an end to which silence leads step by step. Some states
/// take a note and stay; some belong to a part, and not every part may follow every other.
fn random_law(targets: &[(usize, usize, usize, bool, bool, usize)], limit: u8, follow: &[bool]) -> String {
    let after = |row: usize| (0..3).filter(move |part| follow[row * 3 + part]).map(|part| PARTS[part]);
    let rows = PARTS
        .iter()
        .enumerate()
        .map(|(row, part)| format!("{part}: [{}]", after(row).collect::<Vec<_>>().join(", ")));
    let mut law = format!(
        "session: R\nversion: 1\ncontext: {{limit: {limit}}}\ncounters: {{n: 0, notes: 0}}\nfacts: [lucky]\n\
         attributes: {{part: {{{}}}}}\nstates:\n",
        rows.collect::<Vec<_>>().join(", ")
    );
    for (at, (to, yes, no, counts, ends, stays)) in targets.iter().enumerate() {
        let count = if *counts { ", count: n" } else { "" };
        let end = if *ends { ", stop: END" } else { "" };
        let late = if *yes > at { format!("S{yes}") } else { "END".to_owned() };
        let stay = ["", ", note: stay", ", note: {count: notes}", ", note: {reset: n}"][*stays];
        // The parts are drawn with the targets.
        let [own, behind] =
            [to, no].map(|part| PARTS.get(*part).map_or(String::new(), |part| format!("    part: {part}\n")));
        law +=
            &format!("  S{at}:\n{own}    on: {{go: {{target: G{to}{count}}}, timeout: {late}{end}{stay}}}\n");
        law += &format!(
            "  G{at}:\n{behind}    guard: n >= limit or lucky\n    on_true: {{target: S{yes}, reset: n}}\n    on_false: S{no}\n"
        );
    }
    law + "  END: {type: final}\ninvariants: [n <= limit]\n"
}
