// Runs laws that were exported as XState v5 JSON.
//
//   import { createActor } from "xstate";
//   import { clock, load, stateOf } from "./xstate_setup.mjs";
//
//   const machine = load(json, {
//     facts: (name) => name === "used_target",  // answers a fact of the law, at every guard that asks for it
//     perform: (name) => console.log(name),     // performs an entry action of the law
//   });
//   const actor = createActor(machine, { clock }).start();
//   actor.send({ type: "start" });
//   stateOf(actor.getSnapshot());               // the state
//   actor.getSnapshot().context.counters;       // the counters
//   actor.getSnapshot().output;                 // { outcome } once the flow has ended
//
// The default clock of an actor waits for at most 24 days; the clock of this module waits as long as the law says.
//
// For a law with problems, an actor differs from the law in three ways. It cannot undo a step, so it ignores invariants
// and requirements. If a guard without an else is false, it asks the guard again on every event. And a run through too
// many guards is an error, or ends one state later. `begin` and `take` are exact: they refuse what the law refuses.

import { assign, getInitialMicrosteps, getMicrosteps, raise, setup } from "xstate";

// Counters have 32 bits and stop at the top.
const MOST = 4294967295;

// JavaScript's timers have 31 bits; longer ones would fire at once.
const LONGEST_MS = 2147483647;

const COMPARE = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  ">=": (a, b) => a >= b,
  ">": (a, b) => a > b,
};

// The meaning of each named guard. `ask` answers facts; `holds` evaluates guards inside guards.
const GUARDS = {
  compare: ({ counter, op, value, other }, counters) =>
    COMPARE[op](counters[counter], other === undefined ? value : counters[other]),
  fact: ({ fact }, _, ask) => ask(fact) === true,
  not: ({ guard }, counters, ask) => !holds(guard, counters, ask),
  and: ({ guards }, counters, ask) => guards.every((guard) => holds(guard, counters, ask)),
  or: ({ guards }, counters, ask) => guards.some((guard) => holds(guard, counters, ask)),
  always: ({ value }) => value,
};

function holds(guard, counters, ask) {
  return GUARDS[guard.type](guard.params, counters, ask);
}

function counting(change) {
  return assign(({ context }, params) => ({
    counters: { ...context.counters, [params.counter]: change(context.counters, params) },
  }));
}

/** Turns an exported law, as text or as an object, into an XState machine. */
export function load(json, { facts = () => false, perform = () => {} } = {}) {
  const config = typeof json === "string" ? JSON.parse(json) : json;
  const guards = Object.keys(GUARDS).map((type) => [
    type,
    ({ context }, params) => holds({ type, params }, context.counters, facts),
  ]);
  const actions = {
    count: counting((counters, { counter }) => Math.min(counters[counter] + 1, MOST)),
    reset: counting((_, { to }) => to),
    end: assign((_, { outcome }) => ({ outcome })),
    perform: (_, { action }) => perform(action),
    stay: () => {},
    raise: raise((_, { event }) => ({ type: event })),
  };
  const delays = Object.fromEntries(growing(config).map((name) => [name, ({ context }) => grown(name, context.counters)]));
  return setup({ guards: Object.fromEntries(guards), actions, delays }).createMachine({
    ...config,
    output: ({ context }) => ({ outcome: context.outcome }),
  });
}

/** Returns the state that a flow is in, by its name in the law. */
export function stateOf({ value }) {
  const [key, inner] = typeof value === "string" ? [value] : Object.entries(value)[0];
  return inner === undefined ? key.trimEnd() : stateOf({ value: inner });
}

// Returns the configuration of the state that `value` denotes.
function configOf(config, value) {
  if (typeof value === "string") return config.states[value];
  const [[key, inner]] = Object.entries(value);
  return configOf(config.states[key], inner);
}

// Collects the names of growing delays from all states: `grows 1000 2 60000 0 tries`.
function growing(config) {
  const own = Object.keys(config.after ?? {}).filter((name) => name.startsWith("grows "));
  return own.concat(Object.values(config.states ?? {}).flatMap(growing));
}

function grown(name, counters) {
  const [, first, factor, most, from, counter] = name.split(" ");
  const rounds = Math.max(counters[counter] - Number(from), 0);
  return Math.min(Number(first) * Number(factor) ** rounds, Number(most));
}

/** A clock for actors. It splits long waits into parts. */
export const clock = {
  setTimeout(call, ms) {
    const timer = {};
    wait(timer, call, ms);
    return timer;
  },
  clearTimeout(timer) {
    clearTimeout(timer?.id);
  },
};

function wait(timer, call, ms) {
  const next = ms > LONGEST_MS ? () => wait(timer, call, ms - LONGEST_MS) : call;
  timer.id = setTimeout(next, Math.min(ms, LONGEST_MS));
}

/** Begins a flow without an actor. `snapshot` is null if the first step would break a promise of the law. */
export function begin(machine) {
  return kept(machine, () => getInitialMicrosteps(machine), null);
}

/**
 * Takes one event without an actor. Performs nothing: `actions` names the actions to perform.
 * `refused` is null, "over", "not_now" or "broken"; if it is not null, `snapshot` is the one that was passed in.
 */
export function take(machine, snapshot, event) {
  if (snapshot.status !== "active") return refusal(snapshot, "over");
  if (!snapshot.can(event)) return refusal(snapshot, "not_now");
  if (!areKept(machine, snapshot, configOf(machine.config, snapshot.value).meta?.given)) return refusal(snapshot, "broken");
  return kept(machine, () => getMicrosteps(machine, snapshot, event), snapshot);
}

function kept(machine, run, before) {
  const { config } = machine;
  const steps = settled(run);
  if (steps === null || steps.length > config.options.maxIterations) return refusal(before, "broken");
  const [snapshot] = steps.at(-1);
  const promises = [...config.meta.invariants, ...(configOf(config, snapshot.value).meta?.require ?? [])];
  if (!areKept(machine, snapshot, promises)) return refusal(before, "broken");
  const performed = steps.flatMap(([, effects]) => effects).filter(({ type }) => type === "perform");
  return { snapshot, actions: performed.map(({ params }) => params.action), refused: null };
}

// Returns the steps from state to state, or null if XState throws because guards lead on for too long.
function settled(run) {
  try {
    return run();
  } catch (error) {
    if (/Infinite loop detected/.test(error.message)) return null;
    throw error;
  }
}

function areKept({ implementations }, snapshot, promises = []) {
  return promises.every(({ type, params }) => implementations.guards[type](snapshot, params));
}

function refusal(snapshot, refused) {
  return { snapshot, actions: [], refused };
}
