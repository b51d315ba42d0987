// Answers every order in orders.txt with one line, using XState. Each trace is walked twice in parallel: step
// by step with pure functions, and by a live actor with its own clock. The two must agree.

import { readFileSync } from "node:fs";
import { SimulatedClock, createActor } from "xstate";
import { begin, load, stateOf, take } from "./xstate_setup.mjs";

let law;

function open(name) {
  const now = { facts: new Set(), performed: [] };
  const machine = load(readFileSync(`${name}.json`, "utf8"), {
    facts: (fact) => now.facts.has(fact),
    perform: (action) => now.performed.push(action),
  });
  return { machine, now, clock: new SimulatedClock(), snapshot: null, actor: null };
}

function answer(kind, what) {
  if (kind === "begin") return started();
  const state = law.snapshot.value;
  const type = kind === "wait" ? `xstate.after.${what}.${node(state).id ?? `${law.machine.id}.${state}`}` : what;
  const taken = take(law.machine, law.snapshot, { type });
  law.snapshot = taken.snapshot;
  if (taken.refused === "broken" || isStuck(law.snapshot)) {
    // From here on an actor differs from the law, as xstate_setup.mjs explains, so the test drops it.
    law.actor = null;
  } else if (law.actor && kind === "wait") {
    law.clock.increment(Number(what));
  } else {
    law.actor?.send({ type });
  }
  return taken;
}

function started() {
  const taken = begin(law.machine);
  law.snapshot = taken.snapshot;
  if (!taken.refused && !isStuck(law.snapshot)) law.actor = createActor(law.machine, { clock: law.clock }).start();
  return taken;
}

function isStuck({ value }) {
  return node(value).always !== undefined;
}

// Returns the configuration of a state, looked up through its parents.
function node(value, within = law.machine.config) {
  if (typeof value === "string") return within.states[value];
  const [[key, inner]] = Object.entries(value);
  return node(inner, within.states[key]);
}

function line({ snapshot, actions, refused }) {
  if (snapshot === null) return `${refused}\t-\t-\t-\t-`;
  const { counters, outcome } = snapshot.context;
  const ended = refused ? "-" : (outcome ?? "-");
  return [refused ?? "taken", stateOf(snapshot), Object.values(counters), ended, actions].join("\t");
}

function agree(taken) {
  if (law.actor === null) return;
  const live = law.actor.getSnapshot();
  const performed = law.now.performed.splice(0);
  const seen = line({ snapshot: live, actions: performed, refused: taken.refused });
  if (seen !== line(taken)) throw new Error(`the actor says ${seen}, the function ${line(taken)}`);
  const ended = live.status === "done" ? live.output.outcome : null;
  if (ended !== live.context.outcome) throw new Error(`the output of the actor is ${ended}`);
}

const lines = readFileSync("orders.txt", "utf8").trimEnd().split("\n");
for (const [kind, what, facts] of lines.map((order) => order.split("\t"))) {
  if (kind === "law") {
    law = open(what);
    continue;
  }
  law.now.facts = new Set(facts.split(","));
  const taken = answer(kind, what);
  agree(taken);
  console.log(line(taken));
}
