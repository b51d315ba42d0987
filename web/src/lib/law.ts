/** A law as a drawing: its states by kind, and its transitions with their events and guards. */
import { layout, type Drawing, type Link } from './graph';

export type State = { name: string; kind: 'waits' | 'decides' | 'acts' | 'final'; entry: string[] };
export type Transition = { from: string; to: string; event: string; guard: string };
/** A law to draw. `boxes` maps each state or box to the box that holds it. */
export type Law = { name: string; initial: string; states: State[]; transitions: Transition[]; counters: string[]; facts: string[]; boxes: Record<string, string> };

/** The most states that are drawn. A larger law is listed: its picture would be unreadable and take seconds to lay out. */
export const MAX_DRAWN = 120;

/** Reads the machine that the server sends, which has the form of an XState configuration. */
export function read(machine: any): Law {
  const states: State[] = [];
  const transitions: Transition[] = [];
  const facts = new Set<string>();
  for (const [name, state] of Object.entries<any>(machine.states)) {
    const performed = [state.entry ?? []].flat().filter((action: any) => action.type === 'perform').map((action: any) => action.params.action as string);
    const kind = state.type === 'final' ? 'final' : state.always ? 'decides' : performed.length > 0 && !state.after ? 'acts' : 'waits';
    states.push({ name, kind, entry: performed });
    for (const jump of [state.always ?? []].flat()) transitions.push({ from: name, to: jump.target ?? name, event: '', guard: jump.guard ? guard(jump.guard, facts) : 'else' });
    for (const [event, jump] of Object.entries<any>(state.on ?? {})) transitions.push({ from: name, to: jump.target ?? name, event, guard: '' });
    for (const test of [...(state.meta?.require ?? []), ...(state.meta?.given ?? [])]) guard(test, facts);
  }
  const boxes = lawsInside(machine.boxes ?? {});
  return { boxes, name: machine.id, initial: machine.initial, states, transitions, counters: Object.keys(machine.context?.counters ?? {}), facts: [...facts] };
}

/** Keeps only the boxes of used laws. States that merely share transitions have nothing else in common, and get no box. */
function lawsInside(boxes: Record<string, string>): Record<string, string> {
  const isShared = (box: string | undefined): boolean => box?.startsWith('in any of') ?? false;
  const outer = (name: string): string | undefined => {
    let box = boxes[name];
    while (box !== undefined && isShared(box)) box = boxes[box];
    return box;
  };
  return Object.fromEntries(Object.keys(boxes).flatMap((name) => (isShared(name) || !outer(name) ? [] : [[name, outer(name)!]])));
}

/** Finds events that lead to one state from many others: a sentence says more about them than thirty drawn lines. */
export function everywhere(law: Law): { event: string; to: string; count: number }[] {
  const counts = new Map<string, { event: string; to: string; count: number }>();
  for (const { event, to } of law.transitions.filter((way) => way.event)) {
    const known = counts.get(`${event} ${to}`) ?? { event, to, count: 0 };
    known.count += 1;
    counts.set(`${event} ${to}`, known);
  }
  return [...counts.values()].filter(({ count }) => count >= 6 && count > law.states.length / 4);
}

/** Returns the part of a law around a state: the states one step before it and up to two steps after it. */
export function around(law: Law, state: string): Law {
  const often = everywhere(law);
  const ways = law.transitions.filter((way) => !often.some((known) => known.event === way.event && known.to === way.to));
  const after = (from: Set<string>): Set<string> => new Set([...from, ...ways.filter((way) => from.has(way.from)).map((way) => way.to)]);
  const near = new Set([...after(after(new Set([state]))), ...ways.filter((way) => way.to === state).map((way) => way.from)]);
  const isNear = (name: string): boolean => near.has(name);
  return { ...law, states: law.states.filter((known) => isNear(known.name)), transitions: law.transitions.filter((way) => isNear(way.from) && isNear(way.to)) };
}

export function draw(law: Law): Drawing | undefined {
  if (law.states.length > MAX_DRAWN) return undefined;
  const boxes = law.states.map((state) => ({ id: state.name, width: Math.max(84, state.name.length * 7.4 + 26), height: 34 }));
  return layout(boxes, joined(law), 'TB', { node: 18, rank: 20 }, law.boxes);
}

/** Joins all transitions between the same two states into one line. */
export function joined(law: Law): (Link & { events: string[] })[] {
  const often = everywhere(law);
  const lines = new Map<string, Link & { events: string[] }>();
  for (const { from, to, event, guard } of law.transitions) {
    if (often.some((known) => known.event === event && known.to === to)) continue;
    const line = lines.get(`${from} ${to}`) ?? { from, to, events: [] };
    line.events.push(event || guard);
    lines.set(`${from} ${to}`, line);
  }
  return [...lines.values()].map((line) => ({ ...line, label: line.events.length > 2 ? `${line.events[0]} +${line.events.length - 1}` : line.events.join(', ') }));
}

function guard(test: any, facts: Set<string>): string {
  const { params = {} } = test;
  switch (test.type) {
    case 'compare': return `${params.counter} ${params.op} ${params.value ?? params.other}`;
    case 'fact': return facts.add(params.fact), params.fact;
    case 'not': return `not ${guard(params.guard, facts)}`;
    case 'and': case 'or': return params.guards.map((part: any) => guard(part, facts)).join(` ${test.type} `);
    default: return params.value === false ? 'never' : 'always';
  }
}
