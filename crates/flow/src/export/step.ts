
/** How far each counter has come. */
export type Counters = Readonly<Record<Counter, number>>;

/** The state and the counters of one flow. */
export type Instance = { readonly state: State; readonly counters: Counters };

/** The facts that hold at one moment. */
export type Facts = ReadonlySet<Fact>;

/** The result of an event: the step taken, or why it was refused. A refused event changes nothing. */
export type Step =
  | {
      readonly kind: "taken";
      readonly to: Instance;
      /** Set if the flow ended. */
      readonly outcome: Outcome | null;
      /** The actions to perform, in order. */
      readonly actions: readonly Action[];
    }
  | { readonly kind: "over" }
  | { readonly kind: "not_now"; readonly allowed: readonly Event[] }
  | { readonly kind: "broken"; readonly promise: string };

/** The events that a state takes. */
export type Allowed<S extends State> = (typeof states)[S] extends {
  readonly on: readonly { readonly event: infer E }[];
}
  ? E
  : never;

type Test = (count: Counters, facts: Facts) => boolean;
type Promised = { readonly text: string; readonly test: Test };
type Move = { readonly count: Counter } | { readonly reset: Counter };
type Jump = { readonly target: State; readonly moves?: readonly Move[]; readonly outcome?: Outcome };
type Stay = { readonly target?: never; readonly moves?: readonly Move[] };
/** An event that the clock raises after a delay. */
export type Timer = {
  readonly millis: number;
  readonly event: Event;
  readonly grows?: {
    readonly most: number;
    readonly factor: number;
    readonly counter: Counter;
    readonly from: number;
  };
};
type Rule = {
  readonly attributes?: Readonly<Record<string, string>>;
  readonly entry?: readonly Action[];
  readonly moves?: readonly Move[];
  readonly on?: readonly ((Jump | Stay) & { readonly event: Event })[];
  readonly choice?: { readonly test: Test; readonly yes: Jump; readonly no?: Jump };
  readonly after?: readonly Timer[];
  readonly require?: readonly Promised[];
  readonly given?: readonly Promised[];
  readonly outcomes?: readonly Outcome[];
  readonly isFinal?: true;
};

/** The most states that one step passes through. */
const MAX_CHAIN = 20;
/** Counters have 32 bits and stop at the top. */
const MOST = 4294967295;

const rules: Readonly<Record<State, Rule>> = states;

/** Enters the initial state. */
export function begin(facts: Facts): Step {
  return enter({ target: initial }, start, facts);
}

/** Takes one event, through every choice, to the next state that waits. */
export function step(at: Instance, event: Event, facts: Facts): Step {
  const { on = [], given = [], isFinal = false } = rules[at.state];
  const jump = on.find((jump) => jump.event === event);
  const denied = given.find(({ test }) => !test(at.counters, facts));
  if (jump !== undefined && denied !== undefined) return { kind: "broken", promise: denied.text };
  if (jump?.target !== undefined) return enter(jump, at.counters, facts);
  if (jump !== undefined) return stay(at, jump, facts);
  return isFinal ? { kind: "over" } : { kind: "not_now", allowed: on.map((jump) => jump.event) };
}

/** Returns the current delay of a timer: some grow with a counter. */
export function delay({ millis, grows }: Timer, counters: Counters): number {
  if (grows === undefined) return millis;
  const rounds = Math.max(counters[grows.counter] - grows.from, 0);
  return Math.min(millis * grows.factor ** rounds, grows.most);
}

/** Returns the promises of the law that do not hold, in words. */
export function broken(at: Instance, facts: Facts): readonly string[] {
  const promises = [...invariants, ...(rules[at.state].require ?? [])];
  return promises.filter(({ test }) => !test(at.counters, facts)).map(({ text }) => text);
}

function enter(first: Jump, from: Counters, facts: Facts): Step {
  const actions: Action[] = [];
  let jump = first;
  let counters = from;
  for (let entered = 0; entered < MAX_CHAIN; entered += 1) {
    const rule = rules[jump.target];
    counters = moved(moved(counters, jump.moves), rule.moves);
    actions.push(...(rule.entry ?? []));
    const next = rule.choice?.test(counters, facts) ? rule.choice.yes : rule.choice?.no;
    if (next === undefined) return settled({ state: jump.target, counters }, jump.outcome, actions, facts);
    jump = next;
  }
  return { kind: "broken", promise: `more than ${MAX_CHAIN} choices in a row` };
}

/** The state is not entered again: there are no actions, and its timers keep running. */
function stay(at: Instance, { moves }: Stay, facts: Facts): Step {
  return settled({ state: at.state, counters: moved(at.counters, moves) }, undefined, [], facts);
}

function settled(to: Instance, outcome: Outcome | undefined, actions: readonly Action[], facts: Facts): Step {
  const [promise] = broken(to, facts);
  if (promise !== undefined) return { kind: "broken", promise };
  return { kind: "taken", to, outcome: outcome ?? null, actions };
}

function moved(counters: Counters, moves: readonly Move[] = []): Counters {
  return moves.reduce<Counters>((now, move) => {
    if ("reset" in move) return { ...now, [move.reset]: start[move.reset] };
    return { ...now, [move.count]: Math.min(now[move.count] + 1, MOST) };
  }, counters);
}
