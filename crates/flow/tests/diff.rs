//! Tests of comparing laws: each case edits a law by replacing text and lists what the comparison must find.

use flow::{Bounds, Difference, Facts, Instance, Law, Machine, Migration, Overrides, begin, diff, step};
use std::collections::{BTreeMap, BTreeSet};

const LAW: &str = "\
session: Recall
version: 1
context: {max_tries: 3, max_silences: 2, patience: 20s}
counters: {tries: 0, silences: 0}
facts: [used_target, is_tired]
states:
  ask:
    entry: [say_question]
    after: {patience: timeout}
    on:
      heard: {target: judge, count: tries, reset: silences}
      timeout: {target: still_there, count: silences}
  still_there: {guard: silences > max_silences, on_true: {target: end, outcome: left}, on_false: ask}
  judge: {guard: used_target, on_true: praise, on_false: enough}
  enough: {guard: tries >= max_tries, on_true: {target: end, outcome: missed}, on_false: ask}
  praise:
    require: [used_target]
    entry: [say_well_done]
    on: {said_done: {target: end, outcome: recalled}}
  any non-final: {abandon: {target: end, outcome: left}}
  end: {type: final, outcomes: [recalled, missed, left]}
invariants: [tries <= max_tries]
";

type Edits = &'static [(&'static str, &'static str)];

struct Case {
    name: &'static str,
    /// The edits from `LAW` to the old law, and from the old law to the new one.
    old: Edits,
    new: Edits,
    changes: &'static [&'static str],
    homeless: &'static [&'static str],
}

const CASES: &[Case] = &[
    Case { name: "nothing", old: &[], new: &[], changes: &[], homeless: &[] },
    Case {
        name: "layout, comments and the spelling of a guard",
        old: &[],
        new: &[
            ("counters: {tries: 0, silences: 0}", "counters:\n  tries: 0 # wrong answers\n  silences: 0"),
            ("guard: tries >= max_tries", "guard: counters.tries >= 3"),
        ],
        changes: &[],
        homeless: &[],
    },
    Case {
        name: "the order of states",
        old: &[],
        new: &[
            ("  judge: {guard: used_target, on_true: praise, on_false: enough}\n", ""),
            ("invariants:", "  judge: {guard: used_target, on_true: praise, on_false: enough}\ninvariants:"),
        ],
        changes: &[],
        homeless: &[],
    },
    Case {
        name: "a new version",
        old: &[],
        new: &[("version: 1", "version: 2")],
        changes: &["~ version: 1 → 2"],
        homeless: &[],
    },
    Case {
        name: "a higher bound",
        old: &[],
        new: &[("max_tries: 3", "max_tries: 5")],
        changes: &[
            "~ constant `max_tries`: 3 → 5",
            "- invariant `tries <= 3`",
            "~ guard of `enough`: tries >= 3 → tries >= 5",
            "+ invariant `tries <= 5`",
        ],
        homeless: &[],
    },
    Case {
        name: "a lower bound that a promise holds to",
        old: &[],
        new: &[("max_tries: 3", "max_tries: 1")],
        changes: &[
            "~ constant `max_tries`: 3 → 1",
            "- invariant `tries <= 3`",
            "~ guard of `enough`: tries >= 3 → tries >= 1",
            "+ invariant `tries <= 1`",
        ],
        homeless: &[
            "ask tries=2 silences=0 after heard heard: the invariant `tries <= 1` does not hold there",
            "praise tries=2 silences=0 after heard heard: the invariant `tries <= 1` does not hold there",
            "ask tries=1 silences=0 after heard: under the new law, the invariant `tries <= 1` can be broken",
        ],
    },
    Case {
        name: "a lower bound without such a promise",
        old: &[("invariants: [tries <= max_tries]\n", "")],
        new: &[("max_tries: 3", "max_tries: 1")],
        changes: &["~ constant `max_tries`: 3 → 1", "~ guard of `enough`: tries >= 3 → tries >= 1"],
        homeless: &[],
    },
    Case {
        name: "a bound by equality that waiting flows have already passed",
        old: &[("invariants: [tries <= max_tries]\n", "")],
        new: &[("tries >= max_tries", "tries == max_tries"), ("max_tries: 3", "max_tries: 1")],
        changes: &["~ constant `max_tries`: 3 → 1", "~ guard of `enough`: tries >= 3 → tries == 1"],
        homeless: &[
            "ask tries=1 silences=0 after heard: under the new law, nothing bounds the counter `tries`: \
             a loop counts it without ever resetting it",
        ],
    },
    Case {
        name: "a way back that now stays, and a tally that came",
        old: &[("timeout: {target", "repeat: ask\n      timeout: {target")],
        new: &[
            ("repeat: ask", "repeat: stay"),
            ("any non-final: {abandon", "any non-final: {looks: {count: looks}, abandon"),
            ("silences: 0}", "silences: 0, looks: 0}"),
        ],
        changes: &[
            "~ transition `ask on repeat`: ask → stay",
            "+ counter `looks`: starts at 0",
            "+ event `looks`: learner",
            "+ transition `ask on looks`: stay",
            "+ counters moved by `ask on looks`: count looks",
            "+ transition `praise on looks`: stay",
            "+ counters moved by `praise on looks`: count looks",
        ],
        homeless: &[],
    },
    Case {
        name: "attributes that came, changed and went",
        old: &[
            ("facts:", "attributes: {mood: , status: {asked: [praised, over], praised: over}}\nfacts:"),
            ("    entry: [say_question]", "    status: asked\n    entry: [say_question]"),
            ("    entry: [say_well_done]", "    status: praised\n    mood: glad\n    entry: [say_well_done]"),
        ],
        new: &[
            ("praised: over}", "praised: [over, asked]}"),
            ("    status: asked\n", "    status: over\n"),
            ("    mood: glad\n", ""),
            ("end: {type", "end: {mood: glad, type"),
        ],
        changes: &[
            "~ attribute `status after praised`: over → asked, over",
            "~ attribute `status of ask`: asked → over",
            "- attribute `mood of praise`: glad",
            "+ attribute `mood of end`: glad",
        ],
        homeless: &[],
    },
    Case {
        name: "a state that went",
        old: &[],
        new: &[
            ("on_true: praise", "on_true: {target: end, outcome: recalled}"),
            (
                "  praise:\n    require: [used_target]\n    entry: [say_well_done]\n    \
                 on: {said_done: {target: end, outcome: recalled}}\n",
                "",
            ),
        ],
        changes: &[
            "- event `said_done`: machine",
            "- state `praise`: waits",
            "~ transition `judge if true`: praise → end",
            "+ outcome of `judge if true`: recalled",
        ],
        homeless: &["praise tries=1 silences=0 after heard: the new law has no state `praise`"],
    },
    Case {
        name: "a state that came",
        old: &[],
        new: &[
            ("on_false: enough}", "on_false: hint}"),
            ("  praise:\n", "  hint:\n    on: {got_it: enough}\n  praise:\n"),
        ],
        changes: &[
            "~ transition `judge if false`: enough → hint",
            "+ event `got_it`: learner",
            "+ state `hint`: waits",
        ],
        homeless: &[],
    },
    Case {
        name: "a final state by another name, in which no flow waits",
        old: &[
            ("abandon: {target: end, outcome: left}", "abandon: gone"),
            ("  end:", "  gone: {type: final}\n  end:"),
        ],
        new: &[("abandon: gone", "abandon: away"), ("  gone:", "  away:")],
        changes: &[
            "- state `gone`: is final",
            "~ transition `ask on abandon`: gone → away",
            "~ transition `praise on abandon`: gone → away",
            "+ state `away`: is final",
        ],
        homeless: &[],
    },
    Case {
        name: "a state of another kind",
        old: &[],
        new: &[(
            "    entry: [say_well_done]\n    on: {said_done: {target: end, outcome: recalled}}\n",
            "    type: final\n",
        )],
        changes: &[
            "- event `said_done`: machine",
            "~ state `praise`: waits → is final",
            "- actions on entering `praise`: say_well_done",
            "- transition `praise on abandon`: end",
            "- outcome of `praise on abandon`: left",
            "- transition `praise on said_done`: end",
            "- outcome of `praise on said_done`: recalled",
            "+ outcome of `judge if true`: done",
        ],
        homeless: &[
            "praise tries=1 silences=0 after heard: `praise` waits in the old law and is final in the new one",
        ],
    },
    Case {
        name: "other actions, timers, moves and outcomes",
        old: &[],
        new: &[
            ("entry: [say_question]", "entry: [say_question, show_picture]"),
            ("patience: 20s", "patience: 30s"),
            (", reset: silences", ""),
            ("on_false: enough", "on_false: {target: enough, reset: silences}"),
            ("on_true: {target: end, outcome: missed}", "on_true: {target: end, outcome: left}"),
        ],
        changes: &[
            "~ constant `patience`: 20s → 30s",
            "~ actions on entering `ask`: say_question → say_question, show_picture",
            "~ counters moved by `ask on heard`: count tries, reset silences → count tries",
            "~ timer of `ask for timeout`: 20s → 30s",
            "~ outcome of `enough if true`: missed → left",
            "+ counters moved by `judge if false`: reset silences",
        ],
        homeless: &[],
    },
    Case {
        name: "a transition that went, one that came, other outcomes",
        old: &[],
        new: &[
            ("any non-final: {abandon", "any of ask: {leave"),
            ("[recalled, missed, left]", "[recalled, left, missed]"),
        ],
        changes: &[
            "- event `abandon`: learner",
            "- transition `ask on abandon`: end",
            "- outcome of `ask on abandon`: left",
            "- transition `praise on abandon`: end",
            "- outcome of `praise on abandon`: left",
            "~ outcomes of `end`: recalled, missed, left → recalled, left, missed",
            "+ event `leave`: learner",
            "+ transition `ask on leave`: end",
            "+ outcome of `ask on leave`: left",
        ],
        homeless: &[],
    },
    Case {
        name: "another beginning",
        old: &[("facts:", "initial: ask\nfacts:")],
        new: &[("initial: ask", "initial: enough")],
        changes: &["~ initial state: ask → enough"],
        homeless: &[],
    },
    Case {
        name: "a counter that starts elsewhere",
        old: &[],
        new: &[("{tries: 0", "{tries: 1")],
        changes: &["~ counter `tries`: starts at 0 → starts at 1"],
        homeless: &[],
    },
    Case {
        name: "a counter by another name begins anew",
        old: &[("invariants: [tries <= max_tries]\n", "")],
        new: &[
            ("{tries: 0", "{misses: 0"),
            ("count: tries", "count: misses"),
            ("guard: tries", "guard: misses"),
        ],
        changes: &[
            "- counter `tries`: starts at 0",
            "~ counters moved by `ask on heard`: count tries, reset silences → count misses, reset silences",
            "~ guard of `enough`: tries >= 3 → misses >= 3",
            "+ counter `misses`: starts at 0",
        ],
        homeless: &[],
    },
    Case {
        name: "a counter that was never compared is now",
        old: &[("guard: tries >= max_tries", "guard: is_tired"), ("[tries <= max_tries]", "[silences <= 3]")],
        new: &[("invariants: [", "invariants: [tries <= 9, ")],
        changes: &["+ invariant `tries <= 9`"],
        homeless: &[
            "ask tries=10 silences=0 after heard heard heard heard heard heard heard heard heard heard: \
             the invariant `tries <= 9` does not hold there",
            "praise tries=10 silences=0 after heard heard heard heard heard heard heard heard heard heard: \
             the invariant `tries <= 9` does not hold there",
        ],
    },
    Case {
        name: "a requirement that was never promised",
        old: &[("    require: [used_target]\n", "")],
        new: &[("  praise:\n", "  praise:\n    require: [used_target]\n")],
        changes: &["+ requirement of `praise`: used_target"],
        homeless: &["praise tries=1 silences=0 after heard: \
             `praise` requires `used_target`, which the old law does not promise there"],
    },
    Case {
        name: "a requirement that follows from an old one",
        old: &[("require: [used_target]", "require: [used_target and tries >= 1]")],
        new: &[("require: [used_target and tries >= 1]", "require: [used_target]")],
        changes: &["~ requirement of `praise`: (used_target and tries >= 1) → used_target"],
        homeless: &[],
    },
    Case {
        name: "a requirement on a counter",
        old: &[],
        new: &[("require: [used_target]", "require: [used_target, tries < 2]")],
        changes: &["~ requirement of `praise`: used_target → used_target, tries < 2"],
        homeless: &["praise tries=2 silences=0 after heard heard: \
             `praise` requires `tries < 2`, which does not hold there"],
    },
    Case {
        name: "an invariant on a fact that was never promised",
        old: &[("[tries <= max_tries]", "[silences <= 3]")],
        new: &[("invariants: [", "invariants: [not is_tired and tries <= 1, ")],
        changes: &["+ invariant `(not is_tired and tries <= 1)`"],
        homeless: &[
            "ask tries=0 silences=0 after : \
             the old law does not promise the invariant `(not is_tired and tries <= 1)` there",
            "praise tries=1 silences=0 after heard: \
             the old law does not promise the invariant `(not is_tired and tries <= 1)` there",
            "ask tries=2 silences=0 after heard heard: the invariant `(not is_tired and tries <= 1)` does not hold there",
            "praise tries=2 silences=0 after heard heard: the invariant `(not is_tired and tries <= 1)` does not hold there",
        ],
    },
    Case {
        name: "a counter that the new law no longer moves, and still asks for",
        old: &[("invariants: [tries <= max_tries]\n", "")],
        new: &[
            ("heard: {target: judge, count: tries, reset", "heard: {target: judge, reset"),
            ("{guard: tries >= max_tries", "{guard: tries < 2"),
            (", outcome: missed}, on_false: ask}", ", outcome: missed}}"),
        ],
        changes: &[
            "~ counters moved by `ask on heard`: count tries, reset silences → reset silences",
            "~ guard of `enough`: tries >= 3 → tries < 2",
            "- transition `enough if false`: ask",
        ],
        homeless: &[
            "ask tries=2 silences=0 after heard heard: under the new law, it can get stuck in `enough`, whose guard has no else",
        ],
    },
    Case {
        name: "a guard without an else gets one, and flows are stuck in it",
        old: &[(", outcome: missed}, on_false: ask}", ", outcome: missed}}")],
        new: &[(", outcome: missed}}", ", outcome: missed}, on_false: ask}")],
        changes: &["+ transition `enough if false`: ask"],
        homeless: &["enough tries=1 silences=0 after heard: \
             it is stuck in the guard of `enough`, and the new law does not free it"],
    },
    Case {
        name: "a guard that lost its else, where only waiting flows can fail it",
        old: &[("invariants: [tries <= max_tries]\n", ""), ("max_tries: 3", "max_tries: 2")],
        new: &[
            ("guard: tries >= max_tries", "guard: tries <= 1"),
            (
                "on_true: {target: end, outcome: missed}, on_false: ask}",
                "on_true: {target: end, outcome: missed}}",
            ),
        ],
        changes: &["~ guard of `enough`: tries >= 2 → tries <= 1", "- transition `enough if false`: ask"],
        homeless: &[
            "ask tries=1 silences=0 after heard: under the new law, it can get stuck in `enough`, whose guard has no else",
        ],
    },
    Case {
        name: "a state that now waits for what will never be sent",
        old: &[("any non-final: {abandon", "any of ask: {abandon")],
        new: &[("[say_well_done]", "[play_jingle]"), ("said_done:", "jingle_done:")],
        changes: &[
            "- event `said_done`: machine",
            "~ actions on entering `praise`: say_well_done → play_jingle",
            "- transition `praise on said_done`: end",
            "- outcome of `praise on said_done`: recalled",
            "+ event `jingle_done`: machine",
            "+ transition `praise on jingle_done`: end",
            "+ outcome of `praise on jingle_done`: recalled",
        ],
        homeless: &["praise tries=1 silences=0 after heard: \
             `praise` waits for `jingle_done`, and nothing under way will send that"],
    },
    Case {
        name: "a trap that the new law never enters by itself",
        old: &[
            ("timeout: {target", "skip: ask_slowly\n      timeout: {target"),
            ("  praise:\n", "  ask_slowly:\n    on: {heard: judge}\n  praise:\n"),
        ],
        new: &[
            ("      skip: ask_slowly\n", ""),
            ("    on: {heard: judge}\n", "    on: {heard: ask_slowly}\n"),
            ("any non-final: {abandon", "any of ask, praise: {abandon"),
        ],
        changes: &[
            "- event `skip`: learner",
            "- transition `ask on skip`: ask_slowly",
            "~ transition `ask_slowly on heard`: judge → ask_slowly",
            "- transition `ask_slowly on abandon`: end",
            "- outcome of `ask_slowly on abandon`: left",
        ],
        homeless: &["ask_slowly tries=0 silences=0 after skip: \
             under the new law, from `ask_slowly` on, no final state can be reached"],
    },
];

#[test]
fn finds_changes_and_homeless_flows() {
    for case in CASES {
        let old = edited(LAW, case.old);
        let found = difference(&old, &edited(&old, case.new), Bounds::default());
        let changes: Vec<String> = found.changes.iter().map(ToString::to_string).collect();
        assert_eq!(changes, case.changes, "changes of: {}", case.name);
        assert_eq!(homeless(&found), case.homeless, "homeless of: {}", case.name);
        assert_eq!(found.compatible, case.homeless.is_empty(), "{}", case.name);
        assert!(found.complete, "{}", case.name);
    }
}

/// The comparison rests on walks over packed configurations; this test runs real flows.
#[test]
fn running_flows_confirm_the_comparison() {
    for case in CASES {
        let law = edited(LAW, case.old);
        let (old, new) = (machine(&law), machine(&edited(&law, case.new)));
        let found = diff(&old, &new, &Migration::default(), Bounds::default());
        for homeless in &found.homeless {
            let path = homeless.path.iter();
            let there = path.fold(beginnings(&old), |flows, event| after(&old, &flows, event));
            let is_it = |flow: &Flow| {
                let has = |(name, value): (&String, &u64)| u64::from(flow.counters[name]) == *value;
                flow.state == homeless.state && homeless.counters.iter().all(has)
            };
            assert!(there.iter().any(is_it), "{}: no flow gets to {homeless}", case.name);
        }
        if found.compatible {
            let mut waiting = reachable(&old, beginnings(&old));
            waiting.retain(|flow| !old.is_final(old.state_named(&flow.state).unwrap()));
            for flow in reachable(&new, waiting.iter().map(|flow| taken_over(&new, flow)).collect()) {
                let state = new.state_named(&flow.state).unwrap();
                let goes_on = new.is_final(state) || new.allowed(state).next().is_some();
                assert!(goes_on, "{}: {flow:?} is stuck", case.name);
            }
        }
    }
}

/// Two counters of the new law take the value of one old counter, and are compared with different numbers.
const HEIRS: &str = "\
session: M
version: 2
counters: {COUNTERS}
states:
  ASK: {on: {go: {target: L, count: c}, x: {target: X, count: a}, y: {target: Y, count: b}}}
  L: {guard: c >= 50, on_true: END, on_false: ASK}
  X: {guard: a >= 20, on_true: END, on_false: ASK}
  Y: {guard: b >= 2, on_true: END, on_false: ASK}
  END: {type: final}
invariants: [a <= 20]
";

#[test]
fn heirs_of_one_counter_are_told_apart_in_any_order() {
    let old = "session: M\nversion: 1\ncounters: {a: 0, c: 0}\nstates:\n  ASK: {on: {go: {target: L, count: [a, c]}}}\n  \
               L: {guard: c >= 50, on_true: END, on_false: ASK}\n  END: {type: final}\n";
    let migration = Migration::read("migrate: M\nfrom: 1\nto: 2\ncounters: {a: b}\n").unwrap();
    for counters in ["{a: 0, b: 0, c: 0}", "{b: 0, a: 0, c: 0}"] {
        let new = machine(&HEIRS.replace("{COUNTERS}", counters));
        let found = diff(&machine(old), &new, &migration, Bounds::default());
        let first = found.homeless.first().map(|homeless| (homeless.counters["a"], homeless.reason.as_str()));
        assert_eq!(first, Some((21, "the invariant `a <= 20` does not hold there")), "{counters}");
    }
}

#[test]
fn a_migration_frees_a_stuck_flow() {
    let old = machine(&edited(LAW, &[(", outcome: missed}, on_false: ask}", ", outcome: missed}}")]));
    let new = machine(&edited(LAW, &[("version: 1", "version: 2")]));
    for (to, is_compatible) in [("ask", true), ("still_there", false)] {
        let migration = format!("migrate: Recall\nfrom: 1\nto: 2\nstates: {{enough: {to}}}\n");
        let found = diff(&old, &new, &Migration::read(&migration).unwrap(), Bounds::default());
        assert_eq!(found.compatible, is_compatible, "{to}: {found}");
    }
}

#[test]
fn a_migration_gives_a_counter_one_value() {
    let migration = "migrate: Recall\nfrom: 1\nto: 1\ncounters: {tries: tries, silences: tries}\n";
    let law = machine(LAW);
    let misfits = Migration::read(migration).unwrap().misfits(&law, &law);
    let told: Vec<&str> = misfits.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(told, ["`tries` would take its value from `silences` and from `tries`"]);
}

#[test]
fn equal_hashes_mean_no_changes() {
    let old = edited(LAW, &[]);
    let new = edited(LAW, &[("states:", "# the states\nstates:")]);
    assert_eq!(machine(&old).hash(), machine(&new).hash());
    let found = difference(&old, &new, Bounds::default());
    assert_eq!(
        found.to_string(),
        "The laws mean the same.\nEvery flow that rests under the old law can go on under the new one.\n"
    );
}

#[test]
fn an_incomplete_walk_is_not_called_compatible() {
    let new = edited(LAW, &[("version: 1", "version: 2")]);
    let found = difference(LAW, &new, Bounds { configurations: 5 });
    assert!(!found.compatible && !found.complete && found.homeless.is_empty());
    assert!(found.to_string().contains("Not proved"), "{found}");
}

#[test]
fn reads_well_as_text_and_as_json() {
    let new = edited(LAW, &[("[used_target]\n", "[used_target, tries < 2]\n")]);
    let found = difference(LAW, &new, Bounds::default());
    assert_eq!(
        found.to_string(),
        "~ requirement of `praise`: used_target → used_target, tries < 2\n\
         ! homeless in `praise` with silences 0, tries 2: `praise` requires `tries < 2`, which does not hold there\n    \
         seen after: heard → heard\n"
    );
    let json = serde_json::to_value(&found).unwrap();
    assert_eq!(json["changes"][0]["kind"], "requirement");
    assert_eq!(json["changes"][0]["what"], "praise");
    assert_eq!(json["changes"][0]["old"], "used_target");
    assert_eq!(json["compatible"], false);
    assert_eq!(json["homeless"][0]["counters"]["tries"], 2);
    assert_eq!(json["homeless"][0]["path"], serde_json::json!(["heard", "heard"]));
}

fn edited(law: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(law.to_owned(), |law, (from, to)| {
        assert!(law.contains(from), "nothing to replace: {from}");
        law.replace(from, to)
    })
}

fn difference(old: &str, new: &str, bounds: Bounds) -> Difference {
    diff(&machine(old), &machine(new), &Migration::default(), bounds)
}

fn machine(law: &str) -> Machine {
    let law = Law::read(law).unwrap_or_else(|problems| panic!("{law}\n{problems:?}"));
    Machine::bind(&law, None, &Overrides::new()).unwrap()
}

/// Describes each homeless configuration in one line: the state, the counters, the path there, and the reason.
fn homeless(found: &Difference) -> Vec<String> {
    let line = |homeless: &flow::Homeless| {
        let value = |name: &str| homeless.counters.get(name).copied().unwrap_or_default();
        format!(
            "{} tries={} silences={} after {}: {}",
            homeless.state,
            value("tries"),
            value("silences"),
            homeless.path.join(" "),
            homeless.reason
        )
    };
    found.homeless.iter().map(line).collect()
}

/// The position of a running flow, by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Flow {
    state: String,
    counters: BTreeMap<String, u32>,
}

/// All combinations of the answers to two facts.
const ANSWERS: [Facts; 4] = [Facts(0), Facts(1), Facts(2), Facts(3)];
/// Enough steps to go through the law more than once; some of its counters have no bound.
const ROUNDS: usize = 12;

fn beginnings(machine: &Machine) -> BTreeSet<Flow> {
    ANSWERS.iter().map(|facts| named(machine, &begin(machine, *facts).unwrap().to)).collect()
}

/// Returns the possible positions after an event. A step that the law itself forbids fails the test.
fn after(machine: &Machine, flows: &BTreeSet<Flow>, event: &str) -> BTreeSet<Flow> {
    let event = machine.event_named(event).unwrap();
    let mut found = BTreeSet::new();
    for at in flows.iter().map(|flow| instance(machine, flow)) {
        for facts in ANSWERS.iter().filter(|_| machine.allowed(at.state).any(|taken| taken == event)) {
            let facts = Facts(facts.0 | machine.given(at.state).0);
            found.insert(named(machine, &step(machine, &at, event, facts).unwrap().to));
        }
    }
    found
}

fn reachable(machine: &Machine, mut flows: BTreeSet<Flow>) -> BTreeSet<Flow> {
    for _ in 0..ROUNDS {
        let next: Vec<_> = machine.event_names().map(|event| after(machine, &flows, event)).collect();
        flows.extend(next.into_iter().flatten());
    }
    flows
}

fn taken_over(new: &Machine, flow: &Flow) -> Flow {
    let start = named(new, &begin(new, Facts(0)).unwrap().to);
    let value = |(name, start)| (flow.counters.get(&name).copied().unwrap_or(start), name);
    let counters = start.counters.into_iter().map(value).map(|(value, name)| (name, value));
    Flow { state: flow.state.clone(), counters: counters.collect() }
}

fn named(machine: &Machine, at: &Instance) -> Flow {
    let counters = machine.counter_names().map(str::to_owned).zip(at.counters).collect();
    Flow { state: machine.state_name(at.state).to_owned(), counters }
}

fn instance(machine: &Machine, flow: &Flow) -> Instance {
    let mut counters = [0; flow::MAX_COUNTERS];
    for (slot, name) in counters.iter_mut().zip(machine.counter_names()) {
        *slot = flow.counters[name];
    }
    Instance { state: machine.state_named(&flow.state).unwrap(), counters }
}
