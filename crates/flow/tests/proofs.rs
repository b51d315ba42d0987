//! Tests of the check's findings and paths in small laws: some look sound and are not, others look broken and are
//! sound.

use flow::{Bounds, Facts, Law, MAX_CHAIN, Machine, Overrides, Problem, Refused, check};

struct Case {
    name: &'static str,
    law: &'static str,
    /// `CODE STATE after EVENTS: part of the message`, in the order in which the check reports them.
    found: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case {
        name: "a requirement is known on leaving the state",
        law: "facts: [f]
states:
  A: {on: {start: G}}
  G: {guard: f, on_true: B, on_false: END}
  B: {require: f, on: {go: H}}
  H: {guard: f, on_true: END}
  END: {type: final}",
        found: &[],
    },
    Case {
        name: "a learner may stay as often as they like, counted or not",
        law: "counters: {asked: 0}
facts: [f]
states:
  A: {on: {start: G, asks: stay}}
  G: {guard: f, on_true: B, on_false: END}
  B: {require: f, on: {go: H, asks: {count: asked}}}
  H: {guard: f and asked >= 2, on_true: END, on_false: A}
  END: {type: final}",
        found: &[],
    },
    Case {
        name: "nothing else may: no guard would ever end it",
        law: "counters: {n: 0}
events: {go: learner, tick: machine, late: learner}
states:
  A: {after: {20s: late}, on: {go: G, late: stay}}
  B: {on: {go: G, tick: {count: n}}}
  G: {guard: n >= 2, on_true: END, on_false: B}
  END: {type: final}",
        found: &[
            "F013 A after late: `late` stays in A and needs no learner",
            "F013 B after go tick tick tick tick: `tick` stays in B and needs no learner",
        ],
    },
    Case {
        name: "a requirement is asked again where a flow stays",
        law: "counters: {n: 0}
facts: [f, g]
states:
  A: {require: n < 2, on: {more: {count: n}, go: G}}
  G: {guard: f or g, on_true: B, on_false: END}
  B: {require: f or g, on: {look: stay, go: END}}
  END: {type: final}",
        found: &["F012 A after more more: requires `n < 2`", "F012 B after go look: requires `(f or g)`"],
    },
    Case {
        name: "a state that can only be stayed in is a trap",
        law: "states:
  A: {on: {go: B, leave: END}}
  B: {on: {look: stay}}
  END: {type: final}",
        found: &["F014 B after go: from `B` on"],
    },
    Case {
        name: "a loop that needs a stay to close counts all the same",
        law: "counters: {n: 0, m: 0}
states:
  A: {on: {more: {count: m}, go: {target: G, count: n}, leave: H}}
  G: {guard: m >= 1, on_true: {target: A, reset: m}, on_false: H}
  H: {guard: n >= 3, on_true: END, on_false: END}
  END: {type: final}",
        found: &["F010 A after more go more go more go more go more go: nothing bounds the counter `n`"],
    },
    Case {
        name: "a requirement that leaves a choice is not",
        law: "facts: [f, g]
states:
  A: {on: {start: G}}
  G: {guard: f or g, on_true: B, on_false: END}
  B: {require: f or g, on: {go: H}}
  H: {guard: f or g, on_true: END}
  END: {type: final}",
        found: &["F007 H after start go: can be false there"],
    },
    Case {
        name: "a counter that nothing moves has its start value",
        law: "counters: {limit: 3, tries: 0}
states:
  ASK: {on: {wrong: {target: ENOUGH, count: tries}, right: {target: ASK, reset: tries}}}
  ENOUGH: {guard: tries >= limit, on_true: END}
  END: {type: final}",
        found: &[
            "F007 ENOUGH after wrong: can be false there",
            "F021  after: nothing in the law moves `limit`",
            "F006 END after: cannot be reached",
        ],
    },
    Case {
        name: "a counter that nothing moves bounds another",
        law: "counters: {limit: 3, tries: 0}
states:
  ASK: {on: {wrong: {target: ENOUGH, count: tries}}}
  ENOUGH: {guard: tries >= limit, on_true: END, on_false: ASK}
  END: {type: final}
invariants: [tries <= limit]",
        found: &["F021  after: nothing in the law moves `limit`"],
    },
    Case {
        name: "counters that are compared are equal beyond 255, too",
        law: "counters: {a: 0, b: 0}
states:
  ASK: {on: {go: {target: MORE, count: [a, b]}}}
  MORE: {guard: a >= 300, on_true: SAME, on_false: ASK}
  SAME: {guard: a == b, on_true: END, on_false: OTHER}
  OTHER: {type: final}
  END: {type: final}",
        found: &["F006 OTHER after: cannot be reached"],
    },
    Case {
        name: "beyond what is kept of both, neither answer is taken for granted",
        law: "counters: {a: 0, b: 0, c: 0}
states:
  ASK: {on: {go: {target: MORE, count: [a, b, c]}}}
  MORE: {guard: c >= 300, on_true: SAME, on_false: ASK}
  SAME: {guard: a == b, on_true: END, on_false: OTHER}
  OTHER: {type: final}
  END: {type: final}",
        found: &["F017  after: both grow beyond 255"],
    },
    Case {
        name: "a timer needs no learner, whatever its event is called",
        law: "events: [go, tick]
states:
  WAIT: {after: {20s: tick}, on: {go: END, tick: WAIT}}
  END: {type: final}",
        found: &["F013 WAIT after tick: `tick` leads round through WAIT"],
    },
    Case {
        name: "nor where its event is declared to be the learner's",
        law: "events: {go: learner, tick: learner}
states:
  WAIT: {after: {20s: tick}, on: {go: END, tick: WAIT}}
  END: {type: final}",
        found: &["F013 WAIT after tick: `tick` leads round through WAIT"],
    },
    Case {
        name: "where no timer raises it, the same event needs one",
        law: "events: {go: learner, tick: learner}
states:
  WAIT: {after: {20s: tick}, on: {go: END, tick: AGAIN}}
  AGAIN: {on: {tick: WAIT}}
  END: {type: final}",
        found: &[],
    },
    Case {
        name: "invariants that rest on facts",
        law: "counters: {n: 0}
facts: [f]
states:
  ASK: {on: {go: {target: MORE, count: n}}}
  MORE: {guard: n >= 3, on_true: END, on_false: ASK}
  END: {type: final}
invariants:
  - f
  - f and n <= 9
  - not f or n <= 2
  - not f or n <= 3
  - (f and n <= 3) or (not f and n <= 4)
  - f or not f",
        found: &[
            "F011 ASK after: the invariant `f` ",
            "F011 ASK after: the invariant `(f and n <= 9)` ",
            "F011 END after go go go: the invariant `(not f or n <= 2)` ",
        ],
    },
    Case {
        name: "an invariant on a fact that every state requires",
        law: "facts: [f]
states:
  A: {require: f, on: {go: B}}
  B: {require: f, type: final}
invariants: [f]",
        found: &["F012 A after: requires `f`"],
    },
    Case {
        name: "an invariant on a counter that nothing moves",
        law: "counters: {n: 5}
states:
  ASK: {on: {go: END}}
  END: {type: final}
invariants: [n <= 3, n >= 5]",
        found: &["F011 ASK after: the invariant `n <= 3`", "F021  after: nothing in the law moves `n`"],
    },
    Case {
        name: "the path of a broken requirement is the way that breaks it",
        law: "facts: [f]
states:
  A: {on: {x: G, y: B}}
  G: {guard: f, on_true: B, on_false: END}
  B: {require: f, on: {go: END}}
  END: {type: final}",
        found: &["F012 B after y: requires `f`"],
    },
    Case {
        name: "values in the order that the law lists",
        law: "attributes: {mood: , status: {open: [busy, over], busy: open, over: }}
facts: [f]
states:
  A: {status: open, mood: calm, on: {go: G, rest: N}}
  G: {guard: f, on_true: B, on_false: END}
  B: {status: busy, on: {go: A, rest: N}}
  N: {mood: keen, on: {back: A}}
  END: {status: over, type: final}",
        found: &[],
    },
    Case {
        name: "a state without the attribute keeps the value, and a guard has one like any state",
        law: "attributes: {status: {open: busy, busy: [open, done], done: }}
facts: [f]
states:
  A: {status: open, on: {go: N, work: B}}
  B: {status: busy, on: {go: N, look: stay}}
  N: {on: {on: G}}
  G: {status: busy, guard: f, on_true: M, on_false: A}
  M: {on: {end: END, stop: OFF}}
  OFF: {status: open, on: {end: END}}
  END: {status: done, type: final}",
        found: &["F022 END after go on stop end: `status` goes from `open` to `done`"],
    },
    Case {
        name: "only ways that exist count",
        law: "attributes: {status: {open: busy, busy: done, done: }}
counters: {n: 0}
states:
  A: {status: open, on: {go: {target: N, count: n}}}
  N: {on: {on: G}}
  G: {guard: n >= 1, on_true: B, on_false: END}
  B: {status: busy, on: {end: END}}
  END: {status: done, type: final}",
        found: &[],
    },
    Case {
        name: "attributes and values that no state has",
        law: "attributes: {mood: , status: {open: [busy, gone], gone: open}}
states:
  A: {status: open, on: {go: B}}
  B: {status: busy, on: {end: END}}
  END: {type: final}",
        found: &[
            "F004  after: the attribute `mood` is used nowhere",
            "F004  after: the status value `gone` is used nowhere",
        ],
    },
    Case {
        name: "the shortest of several loops",
        law: "events: {go: learner, p: machine, q: machine, r: machine, s: machine}
states:
  A: {on: {p: B, q: C, go: END}}
  B: {on: {r: C}}
  C: {on: {s: A}}
  END: {type: final}",
        found: &["F013 C after q s: `q`, `s` leads round through A, C"],
    },
    Case {
        name: "loops side by side",
        law: "events: {go: learner, p: machine, q: machine, r: machine}
states:
  A: {on: {go: END, p: B}}
  B: {on: {q: B, r: A}}
  END: {type: final}",
        found: &[
            "F013 B after p q: `q` leads round through B",
            "F013 B after p r: `p`, `r` leads round through A, B",
        ],
    },
    Case {
        name: "every trap, where it is entered",
        law: "states:
  A: {on: {x: T1, y: T2, z: END}}
  T1: {on: {x: DEEPER}}
  DEEPER: {on: {x: T1}}
  T2: {on: {x: T2}}
  END: {type: final}",
        found: &["F014 T1 after x: from `T1` on", "F014 T2 after y: from `T2` on"],
    },
    Case {
        name: "every loop of guards, however it is entered",
        law: "facts: [f]
states:
  A: {on: {x: P, y: Q, z: R, u: END}}
  P: {guard: f, on_true: Q, on_false: END}
  Q: {guard: f, on_true: P, on_false: END}
  R: {guard: f, on_true: R, on_false: END}
  END: {type: final}",
        found: &[
            "F016 P after x: guards go round through `P`, `Q` without coming to rest within 20 states",
            "F016 R after z: go round through `R` ",
        ],
    },
    Case {
        name: "a hint and an end on one counter, asked in one step",
        law: "counters: {misses: 0}
states:
  ASK: {on: {right: END, wrong: {target: HINT_NOW, count: misses}}}
  HINT_NOW: {guard: misses >= 2, on_true: ENOUGH, on_false: ASK}
  ENOUGH: {guard: misses >= 4, on_true: GIVEN_UP, on_false: ASK}
  GIVEN_UP: {type: final}
  END: {type: final}",
        found: &[],
    },
    Case {
        name: "a constant that is right only as it is",
        law: "context: {k: 2}
counters: {n: 0}
states:
  A: {on: {go: {target: B, count: n}}}
  B: {on: {go: {target: G, count: n}}}
  G: {guard: n == k, on_true: END}
  END: {type: final}",
        found: &["F007 G after go go: stuck when k is 1 or less or 3 or more"],
    },
    Case {
        name: "a constant that must not be one value",
        law: "context: {k: 5}
counters: {n: 0}
states:
  A: {on: {go: G, count: {target: A, reset: n}}}
  G: {guard: n != k, on_true: END}
  END: {type: final}",
        found: &["F007 G after go: stuck when k is 0 ("],
    },
    Case {
        name: "a large constant is tried around its value",
        law: "context: {cap: 120}
counters: {n: 114}
states:
  A: {on: {go: {target: G, count: n}}}
  G: {guard: n <= cap, on_true: END}
  END: {type: final}",
        found: &["F007 G after go: stuck when cap is 10 or less or 110 to 114 ("],
    },
    Case {
        name: "the largest of all numbers",
        law: "counters: {n: 0}
states:
  A: {on: {go: {target: G, count: n}}}
  G: {guard: n > 9223372036854775807, on_true: END, on_false: END}
  END: {type: final}",
        found: &[],
    },
];

/// The longest row of guards that a step may pass, and one guard more.
#[test]
fn a_row_of_guards_is_no_cycle() {
    let row = |guards: usize| -> String {
        let rows = (1..guards).map(|at| format!("  G{at}: {{guard: true, on_true: G{}}}\n", at + 1));
        let rows: String = rows.collect();
        format!(
            "states:\n  A: {{on: {{go: G1}}}}\n{rows}  G{guards}: {{guard: true, on_true: END}}\n  END: {{type: final}}"
        )
    };
    assert_eq!(found(&row(MAX_CHAIN - 1)), Vec::<String>::new());
    let told = found(&row(MAX_CHAIN));
    let expected = format!(
        "F016 END after go: too many guards in a row before `END`: a step passes through {MAX_CHAIN} states"
    );
    assert!(told[0].starts_with(&expected), "{told:#?}");
}

/// Thirty-two questions about two facts each have more answers than anyone can wait for.
#[test]
fn a_step_with_too_many_answers_is_given_up() {
    let facts: Vec<String> = (0..32).flat_map(|at| [format!("a{at}"), format!("b{at}")]).collect();
    let guard: Vec<String> = (0..32).map(|at| format!("(a{at} or b{at})")).collect();
    let law = format!(
        "facts: [{}]\nstates:\n  A: {{on: {{go: G}}}}\n  G: {{guard: {}, on_true: END, on_false: A}}\n  END: {{type: final}}",
        facts.join(", "),
        guard.join(" and ")
    );
    let told = found(&law);
    assert!(
        told.len() == 1 && told[0].starts_with("F017 A after: stopped at the step from `A` by `go`"),
        "{told:#?}"
    );
}

/// Two thousand states lead back one at a time; the check follows each way once, not two thousand times.
#[test]
fn long_ways_back_are_followed() {
    let events: String = (0..2_000).map(|at| format!(", to{at}: S{at}")).collect();
    let states: String = (1..2_000).map(|at| format!("  S{at}: {{on: {{back: S{}}}}}\n", at - 1)).collect();
    let law = format!(
        "counters: {{n: 0}}\nstates:\n  HUB: {{on: {{leave: L{events}}}}}\n{states}  \
         S0: {{on: {{back: {{target: L, count: n}}}}}}\n  \
         L: {{guard: n >= 10, on_true: END, on_false: HUB}}\n  END: {{type: final}}"
    );
    assert_eq!(found(&law), Vec::<String>::new());
}

/// A running law may not deny what the proof takes as known on leaving a state.
#[test]
fn a_step_that_denies_what_the_state_requires_is_refused() {
    let law = "session: X\nversion: 1\nfacts: [f, g]\nstates:\n  A: {require: [f, not g], on: {go: END}}\n  \
               END: {type: final}\n";
    let law = Law::read(law).expect("a readable law");
    let machine = Machine::bind(&law, None, &Overrides::new()).expect("a law whose names are known");
    let at = flow::begin(&machine, Facts(1)).expect("f holds and g does not").to;
    let go = machine.event_named("go").expect("an event of the law");
    for (facts, denied, holds) in [(0, "f", true), (2, "f", true), (3, "g", false)] {
        match flow::step(&machine, &at, go, Facts(facts)) {
            Err(Refused::Denied { state, fact, must_hold }) => {
                assert_eq!((state, fact.as_str(), must_hold), (at.state, denied, holds));
            }
            other => panic!("{facts}: {other:?}"),
        }
    }
    assert!(flow::step(&machine, &at, go, Facts(1)).is_ok());
}

#[test]
fn small_laws_show_their_problems() {
    for case in CASES {
        let found = found(case.law);
        let is_as_expected = found.len() == case.found.len()
            && found.iter().zip(case.found).all(|(line, expected)| is_told(line, expected));
        assert!(is_as_expected, "{}: expected {:#?}, found {found:#?}", case.name, case.found);
    }
}

fn found(law: &str) -> Vec<String> {
    let law = Law::read(&format!("session: X\nversion: 1\n{law}\n")).expect("a readable law");
    let report =
        check(&law, None, &Overrides::new(), Bounds::default()).expect("a law whose names are known");
    report.problems.iter().map(line).collect()
}

fn line(problem: &Problem) -> String {
    let after: String = problem.path.iter().map(|event| format!(" {event}")).collect();
    let state = problem.state.as_deref().unwrap_or_default();
    format!("{} {state} after{after}: {}", problem.code, problem.message)
}

/// The part before the colon must be equal, and the rest must contain the expected text.
fn is_told(line: &str, expected: &str) -> bool {
    let (Some((at, said)), Some((place, says))) = (line.split_once(": "), expected.split_once(": ")) else {
        return false;
    };
    at == place && said.contains(says)
}
