// Lets sixty days pass for an actor and prints the states it was in. The timers, like those of JavaScript, fire at
// once if they are set for too long.

import { readFileSync } from "node:fs";
import { createActor } from "xstate";
import { clock, load } from "./xstate_setup.mjs";

const DAY_MS = 86_400_000;
let now = 0;
const timers = new Set();

globalThis.setTimeout = (call, ms) => {
  const timer = { at: now + (ms > 2147483647 ? 1 : ms), call };
  timers.add(timer);
  return timer;
};
globalThis.clearTimeout = (timer) => timers.delete(timer);

const actor = createActor(load(readFileSync("long_wait.json", "utf8")), { clock }).start();
const states = [];
for (let day = 0; day <= 60; day += 1) {
  for (let timer = due(day * DAY_MS); timer; timer = due(day * DAY_MS)) {
    now = timer.at;
    timers.delete(timer);
    timer.call();
  }
  const { value } = actor.getSnapshot();
  if (states.at(-1)?.value !== value) states.push({ day, value });
}
console.log(states.map(({ day, value }) => `${day} ${value}`).join(", "));

function due(until) {
  return [...timers].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
}
