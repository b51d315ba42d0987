// The drill law in XState v5: the export of the law, walked by the pure function `transition`.
//
//   node xstate.mjs FOLDER SECONDS
//
// FOLDER holds law.json, trace.json and xstate_setup.mjs.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { initialTransition, transition } from "xstate";
import { load } from "./xstate_setup.mjs";

const ROUNDS = 3;
const [folder, seconds] = [process.argv[2], Number(process.argv[3])];
const trace = JSON.parse(readFileSync(join(folder, "trace.json"), "utf8"));
const machine = load(readFileSync(join(folder, "law.json"), "utf8"), { facts: () => true });
const round = trace.round.map((type) => ({ type }));

let [snapshot] = initialTransition(machine);
for (const type of trace.begin) [snapshot] = transition(machine, snapshot, { type });
round.forEach((event, at) => {
  [snapshot] = transition(machine, snapshot, event);
  if (snapshot.value !== trace.states[at]) {
    throw new Error(`event ${at}: ${snapshot.value} instead of ${trace.states[at]}`);
  }
});

function nsPerEvent() {
  const started = process.hrtime.bigint();
  let events = 0;
  let passed = 0;
  while (passed < seconds * 1e9) {
    for (const event of round) [snapshot] = transition(machine, snapshot, event);
    events += round.length;
    passed = Number(process.hrtime.bigint() - started);
  }
  return passed / events;
}

nsPerEvent(); // warms up the runtime's compiler
const value = Math.min(...Array.from({ length: ROUNDS }, nsPerEvent));
const { version } = JSON.parse(readFileSync(join(folder, "node_modules/xstate/package.json"), "utf8"));
console.log(JSON.stringify({ value, version }));
