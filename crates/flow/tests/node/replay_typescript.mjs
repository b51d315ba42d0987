// Answers every order in orders.txt with one line, using the compiled TypeScript export.

import { readFileSync } from "node:fs";

let law;
let at = null;

function answer(kind, what, facts) {
  if (kind === "begin") return law.begin(facts);
  const event = kind === "wait" ? firstDue(Number(what)) : what;
  return law.step(at, event, facts);
}

function firstDue(millis) {
  return law.states[at.state].after.find((timer) => timer.millis === millis).event;
}

function line(taken) {
  if (at === null) return `${taken.kind}\t-\t-\t-\t-`;
  const { outcome = null, actions = [] } = taken;
  return [taken.kind, at.state, Object.values(at.counters), outcome ?? "-", actions].join("\t");
}

const lines = readFileSync("orders.txt", "utf8").trimEnd().split("\n");
for (const [kind, what, facts] of lines.map((order) => order.split("\t"))) {
  if (kind === "law") {
    law = await import(`./${what}.js`);
    at = null;
    continue;
  }
  const taken = answer(kind, what, new Set(facts.split(",")));
  at = taken.to ?? at;
  console.log(line(taken));
}
