//! The words in pictures of a machine, and the transitions that are drawn only once.

use crate::export::without_brackets;
use crate::machine::{After, Choice, Edge, EventId, Machine, Move, OutcomeId, StateId, Test};
use crate::text::{delay_words, test_text};

/// The fewest waiting states for which shared transitions are drawn once. With fewer, arrows are clearer.
const MIN_SHARING: usize = 3;

/// Returns the transitions that all waiting states share, such as giving up. Drawn one by one, they would cover the
/// picture.
pub(super) fn shared(machine: &Machine) -> Vec<&Edge> {
    let waiting: Vec<StateId> = machine.states().filter(|id| is_waiting(machine, *id)).collect();
    if waiting.len() < MIN_SHARING {
        return Vec::new();
    }
    let is_everywhere = |edge: &&Edge| {
        waiting
            .iter()
            .all(|id| machine.edge(*id, edge.event).is_some_and(|other| alike(machine, edge, other)))
    };
    machine.edges_of(waiting[0]).iter().filter(is_everywhere).collect()
}

/// Returns the transitions of a state that it does not share.
pub(super) fn own_edges<'m>(machine: &'m Machine, id: StateId, shared: &[&Edge]) -> Vec<&'m Edge> {
    let is_shared = |event: EventId| shared.iter().any(|edge| edge.event == event);
    machine.edges_of(id).iter().filter(|edge| !is_shared(edge.event)).collect()
}

/// Describes what a state does and requires, one remark per line.
pub(super) fn remarks(machine: &Machine, id: StateId) -> Vec<String> {
    let state = &machine.states[id.index()];
    let attributes = state.attributes.iter().map(|(name, value)| format!("{}: {}", name.name, value.name));
    let actions = machine.entry(id).iter().map(|action| format!("do {}", machine.action_name(*action)));
    let moves = machine.moves(&state.entry_moves).iter().map(|mv| move_words(machine, mv));
    let timers = machine.timers(id).iter().map(|after| timer_words(machine, after));
    let require = state.require.iter().map(|test| format!("require {}", test_words(machine, test)));
    let can_be_false = |choice: &&Choice| choice.no.is_none() && choice.test != Test::Always(true);
    let stuck = state.choice.as_ref().filter(can_be_false);
    let stuck = stuck.map(|_| "stays here when false".to_owned());
    attributes.chain(actions).chain(moves).chain(timers).chain(require).chain(stuck).collect()
}

/// Describes a timer, as in `after 20s: timeout`.
pub(super) fn timer_words(machine: &Machine, after: &After) -> String {
    format!("after {}: {}", delay_words(machine, after), machine.event_name(after.event))
}

/// Describes a transition, as in `right / tries + 1, misses = 0 (learned)`.
pub(super) fn label(machine: &Machine, cause: &str, edge: &Edge) -> String {
    let moves: Vec<String> = machine.moves(&edge.moves).iter().map(|mv| move_words(machine, mv)).collect();
    let moves = if moves.is_empty() { String::new() } else { format!(" / {}", moves.join(", ")) };
    // If a final state has only one outcome, its own label says so.
    let outcome = edge.outcome.filter(|_| endings(machine, edge.target).len() > 1);
    let outcome = outcome.map_or(String::new(), |outcome| format!(" ({})", machine.outcome_name(outcome)));
    let stays = if edge.stays { " (stays)" } else { "" };
    format!("{cause}{moves}{outcome}{stays}")
}

/// Returns the outcomes of a final state: those it lists, or else those that its transitions name.
pub(super) fn endings(machine: &Machine, id: StateId) -> Vec<OutcomeId> {
    if !machine.outcomes(id).is_empty() {
        return machine.outcomes(id).to_vec();
    }
    let choices = machine.states.iter().filter_map(|state| state.choice.as_ref());
    let chosen = choices.flat_map(|choice| std::iter::once(&choice.yes).chain(&choice.no));
    let leading = machine.edges.iter().chain(chosen).filter(|edge| edge.target == id);
    let mut found: Vec<OutcomeId> = leading.filter_map(|edge| edge.outcome).collect();
    found.sort();
    found.dedup();
    found
}

pub(super) fn endings_words(machine: &Machine, id: StateId) -> String {
    let names = endings(machine, id).into_iter().map(|outcome| machine.outcome_name(outcome).to_owned());
    names.collect::<Vec<_>>().join(", ")
}

/// Writes a guard with mathematical signs, such as `≥` for `>=`.
pub(super) fn test_words(machine: &Machine, test: &Test) -> String {
    let text = without_brackets(test, test_text(machine, test));
    text.replace(">=", "≥").replace("<=", "≤").replace("!=", "≠").replace("==", "=")
}

fn is_waiting(machine: &Machine, id: StateId) -> bool {
    !machine.is_final(id) && machine.states[id.index()].choice.is_none()
}

fn alike(machine: &Machine, one: &Edge, other: &Edge) -> bool {
    one.enters() == other.enters()
        && one.outcome == other.outcome
        && machine.moves(&one.moves) == machine.moves(&other.moves)
}

fn move_words(machine: &Machine, mv: &Move) -> String {
    match mv {
        Move::Count(counter) => format!("{} + 1", machine.counters[*counter as usize].name),
        Move::Reset(counter) => {
            let counter = &machine.counters[*counter as usize];
            format!("{} = {}", counter.name, counter.start)
        }
    }
}
