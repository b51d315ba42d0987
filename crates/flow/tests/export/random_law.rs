//! Random laws that no one would write: every feature in every mixture.

use crate::export::dice::Dice;
use std::fmt::Write;

const EVENTS: [&str; 5] = ["ask", "tell", "nod", "wait", "leave"];
const COUNTERS: [&str; 3] = ["up", "down", "round"];

pub(crate) fn write(seed: u64, dice: &mut Dice) -> String {
    let states = 5 + dice.below(6);
    let mut law = format!("session: Random{seed}\nversion: {seed}\nfacts: [early, late]\n");
    let _ = writeln!(law, "events: [{}]", EVENTS.join(", "));
    let _ = writeln!(law, "attributes: {{ mood: , part: {{ first: last, last: }} }}");
    let _ = writeln!(law, "counters: {{ up: 0, down: {}, round: 1 }}\nstates:", dice.below(3));
    for at in 0..states {
        let _ = writeln!(law, "  S{at}:");
        for (attribute, values) in [("mood", ["calm", "keen"]), ("part", ["first", "last"])] {
            if dice.percent(30) {
                let _ = writeln!(law, "    {attribute}: {}", dice.one_of(&values));
            }
        }
        // A choice leads only forward, so choices form no loop.
        match dice.below(10) {
            _ if at == states - 1 => law.push_str("    type: final\n    outcome: ended\n"),
            0..=2 if at > 0 => choice(&mut law, at, states, dice),
            3 if at > 0 => law.push_str("    type: final\n"),
            _ => waiting(&mut law, states, dice),
        }
    }
    if dice.percent(50) {
        let _ = writeln!(law, "  any non-final: {{ leave: S{}, wait: stay }}", states - 1);
    }
    if dice.percent(30) {
        let _ = writeln!(law, "invariants: [{}]", test(dice, 1));
    }
    law
}

fn choice(law: &mut String, at: usize, states: usize, dice: &mut Dice) {
    let onwards = |dice: &mut Dice| format!("S{}", at + 1 + dice.below(states - at - 1));
    let (yes, no) = (onwards(dice), onwards(dice));
    let _ = writeln!(law, "    guard: {}", test(dice, 2));
    let _ = writeln!(law, "    on_true: {}", jump(&yes, dice));
    if dice.percent(85) {
        let _ = writeln!(law, "    on_false: {}", jump(&no, dice));
    }
}

fn waiting(law: &mut String, states: usize, dice: &mut Dice) {
    if dice.percent(50) {
        law.push_str("    entry: [look, speak]\n");
    }
    if dice.percent(15) {
        let _ = writeln!(law, "    require: [{}]", test(dice, 1));
    } else if dice.percent(15) {
        let _ = writeln!(law, "    require: [{}]", dice.one_of(&["early", "not late"]));
    }
    law.push_str("    on:\n");
    let first = dice.below(EVENTS.len());
    let many = 1 + dice.below(3);
    for event in (0..many).map(|next| EVENTS[(first + next) % EVENTS.len()]) {
        let target = if dice.percent(20) { "stay".to_owned() } else { format!("S{}", dice.below(states)) };
        let _ = writeln!(law, "      {event}: {}", jump(&target, dice));
    }
    if dice.percent(40) {
        let _ = writeln!(law, "    after: {{ {}ms: {} }}", 1 + dice.below(90_000), EVENTS[first]);
    }
}

fn jump(target: &str, dice: &mut Dice) -> String {
    let mut jump = format!("{{ target: {target}");
    if dice.percent(50) {
        let _ = write!(jump, ", count: [{}]", dice.one_of(&COUNTERS));
    }
    if dice.percent(25) {
        let _ = write!(jump, ", reset: [{}, {}]", dice.one_of(&COUNTERS), dice.one_of(&COUNTERS));
    }
    jump + " }"
}

fn test(dice: &mut Dice, depth: usize) -> String {
    match dice.below(if depth == 0 { 4 } else { 7 }) {
        0 => dice.one_of(&["early", "late"]).to_owned(),
        1 => format!("{} {} {}", dice.one_of(&COUNTERS), sign(dice), dice.one_of(&COUNTERS)),
        2 | 3 => format!("{} {} {}", dice.one_of(&COUNTERS), sign(dice), dice.below(5)),
        4 => format!("not ({})", test(dice, depth - 1)),
        5 => format!("({} and {})", test(dice, depth - 1), test(dice, depth - 1)),
        _ => format!("({} or {})", test(dice, depth - 1), test(dice, depth - 1)),
    }
}

fn sign(dice: &mut Dice) -> &'static str {
    dice.one_of(&["<", "<=", "==", "!=", ">=", ">"])
}
