/** One flow: its current view, the talk in this browser, and the only way to move it. */
import { Away, fresh, get, post, Refusal } from './api';
import * as kept from './kept';
import { watch } from './live.svelte';
import { flowsKnown } from './shared.svelte';
import type { Answer, Block, Line, Schema, View } from './types';
import { t } from './words.svelte';

/** The actions of a block on the flow that it belongs to. */
export type Acts = { offers: (verb: string) => boolean; isBusy: () => boolean; isUsing: (verb: string) => boolean; use: (verb: string, given: Record<string, unknown>) => void };
export const ACTS = Symbol('acts');
/** The language that a flow teaches, and the one that it explains in. */
export type Tongues = { learned: () => string | undefined; own: () => string | undefined };
export const TONGUES = Symbol('tongues');

export type Said = { who: 'coach' | 'you'; lines?: Line[]; blocks?: Block[]; text?: string };

/** The most entries of the talk. Older ones are history, which the Inside page shows. */
const MAX_SAID = 30;
/** A wait shorter than this is not shown. */
const MOMENT_MS = 100;
const MAX_TEXT = 4000;

export class Seat {
  view = $state.raw<View | undefined>();
  said = $state.raw<Said[]>([]);
  /** The first entry of the talk that belongs to the present turn. */
  since = $state(0);
  busy = $state(false);
  /** The verb of the request under way. */
  using = $state('');
  /** The learner's latest words, shown before the coach has answered. */
  sending = $state('');
  /** Whether the request has taken longer than `MOMENT_MS`. */
  isSlow = $state(false);
  /** The coach's work in the meantime: the question it asks a model, and the sentences of the reply that have arrived. */
  doing = $state.raw<{ asks: string; text: string } | undefined>();
  problem = $state('');
  note = $state('');
  failed = $state('');
  #stop: () => void;
  /** The newest version that the server has announced. */
  #told = 0;

  constructor(readonly id: string) {
    this.#read();
    void this.load();
    const stops = [
      watch(`/api/instances/${encodeURIComponent(id)}/changes`, (told, event) => this.#hears(told, event), ['change', 'missed', 'coach', 'said']),
      kept.watched(this.#talk, () => this.#read()),
    ];
    this.#stop = () => stops.forEach((stop) => stop());
  }

  /** Reads the talk. The present turn begins with the learner's latest words and what the coach said before them. */
  #read(): void {
    this.said = kept.read<Said[]>(this.#talk, []);
    this.since = Math.max(0, this.said.findLastIndex((part) => part.who === 'you') - 1);
  }

  close(): void {
    this.#stop();
  }

  async load(): Promise<void> {
    try {
      const seen = await get<View>(`/api/instances/${encodeURIComponent(this.id)}`);
      // An answer that arrived during this request is newer.
      if (seen.version >= (this.view?.version ?? 0)) this.view = seen;
      this.failed = '';
    } catch (error) {
      if (!(error instanceof Away)) this.failed = error instanceof Refusal ? error.told : (error as Error).message;
      else if (!this.view) this.failed = t('away');
    }
  }

  /** Uses a verb. Returns true if the flow took it. */
  async use(verb: string, given: Record<string, unknown>, shown: string): Promise<boolean> {
    return this.#send(`verbs/${encodeURIComponent(verb)}`, given, shown, verb);
  }

  /** Sends an event to a flow whose law has no verbs. */
  async event(event: string, facts: string[]): Promise<boolean> {
    return this.#send('events', { event, facts, expect_version: this.view?.version }, event, event);
  }

  /** Answers the question, in the shape that its verb takes: most take a text. */
  async answer(given: string | Record<string, unknown>, shown: string): Promise<boolean> {
    const verb = this.view?.desk?.ask?.verb ?? '';
    const takes = (await this.schema(verb))?.properties ?? {};
    // A lesson takes a program as the text of its answer.
    if (typeof given !== 'string') return this.use(verb, 'code' in given && !('code' in takes) ? { text: given.code } : given, shown);
    const field = 'text' in takes ? 'text' : Object.keys(takes)[0];
    return this.use(verb, field ? { [field]: given } : {}, shown);
  }

  async schema(verb: string): Promise<Schema | null> {
    const flow = (await flowsKnown()).find((known) => known.name === this.view?.flow);
    return flow?.verbs.find((known) => known.name === verb)?.takes ?? null;
  }

  async #send(path: string, body: Record<string, unknown>, shown: string, verb: string): Promise<boolean> {
    const before = this.view;
    if (this.busy || !before) return false;
    [this.busy, this.using, this.problem, this.note, this.sending] = [true, verb, '', '', shown.slice(0, MAX_TEXT)];
    const slow = setTimeout(() => (this.isSlow = true), MOMENT_MS);
    const options = { key: fresh(), patient: true, ...(path === 'events' ? {} : { version: before.version }) };
    try {
      const answer = await post<Answer>(`/api/instances/${encodeURIComponent(this.id)}/${path}`, body, options);
      this.#hear(before, answer, shown);
      return true;
    } catch (error) {
      // The turn goes on without this request; its lines arrive later as an event.
      if (error instanceof Refusal && error.code === 'too_slow') return await this.#left(before, shown);
      return await this.#refused(error);
    } finally {
      clearTimeout(slow);
      [this.busy, this.using, this.sending, this.isSlow] = [false, '', '', false];
      // Catches up with versions that were announced during the request.
      void this.#moved(0);
    }
  }

  /** Takes over the answer to a spoken turn, if it is newer than the view. */
  took(answer: Answer, shown: string): void {
    if (this.view && answer.version > this.view.version) this.#hear(this.view, answer, shown);
  }

  /** Blocks written answers while a spoken turn is being understood. */
  waits(on: boolean): void {
    if (on === this.busy || this.using) return;
    this.busy = on;
    if (!on) void this.#moved(0);
  }

  #hear(before: View, answer: Answer, shown: string): void {
    const now = new Set([...(answer.desk?.blocks ?? []).map(textOf), answer.desk?.ask?.question ?? '']);
    const isNews = (line: Line): boolean => !now.has(line.say) && !(answer.desk?.ask?.question && line.say.startsWith(answer.desk.ask.question));
    const lines = (answer.said ?? []).filter(isNews);
    const asked = before.desk?.ask?.question ?? '';
    // Lessons and statements stay in sight; only passing remarks go into the talk.
    const isTalk = !(before.desk?.blocks ?? []).some((block) => block.kind === 'text' || (block.kind === 'line' && block.role === 'heading'));
    const blocks = (before.desk?.blocks ?? []).filter((block) => isTalk && block.kind === 'line' && ['scene', 'cue', 'question', 'note', 'hint'].includes(block.role));
    const past: Said[] = [];
    if (blocks.length > 0 || asked) past.push({ who: 'coach', blocks: asked ? [...blocks, { kind: 'line', say: asked, role: 'question' }] : blocks });
    if (shown) past.push({ who: 'you', text: shown.slice(0, MAX_TEXT) });
    if (lines.length > 0) past.push({ who: 'coach', lines });
    this.said = [...this.said, ...past].slice(-MAX_SAID);
    this.since = this.said.length - past.length;
    kept.write(this.#talk, answer.outcome ? undefined : this.said);
    if (answer.outcome) kept.write(`${this.#talk}.late`, undefined);
    this.view = answer;
    if (answer.repeated) this.note = t('repeated-note');
  }

  async #left(before: View, shown: string): Promise<boolean> {
    await this.load();
    this.#hear(before, this.view ?? before, shown);
    this.note = t('still-at-work');
    return true;
  }

  async #refused(error: unknown): Promise<boolean> {
    if (!(error instanceof Refusal)) throw error;
    if (['version_conflict', 'event_not_allowed', 'flow_is_over', 'nothing_asked'].includes(error.code)) {
      this.note = t('moved-on');
      await this.load();
    } else {
      this.problem = error.told;
    }
    return false;
  }

  #hears(told: any, event: string): void {
    if (event === 'coach') this.doing = told?.asks ? told : undefined;
    else if (event === 'said') void this.#late(told);
    else void this.#moved(told?.version);
  }

  /** Adds lines that no request of this browser brought: they came after a long wait, or by the clock. */
  async #late({ version, said }: { version: number; said: Line[] }): Promise<void> {
    // The first of several tabs stores the lines; the others read them from storage.
    if (version <= kept.read(`${this.#talk}.late`, 0)) return;
    kept.write(`${this.#talk}.late`, version);
    await this.load();
    const shown = new Set([...(this.view?.desk?.blocks ?? []).map(textOf), this.view?.desk?.ask?.question ?? '']);
    const lines = said.filter((line) => !shown.has(line.say));
    if (lines.length === 0) return;
    this.said = [...this.said, { who: 'coach', lines } as Said].slice(-MAX_SAID);
    kept.write(this.#talk, this.said);
  }

  async #moved(version: number | undefined): Promise<void> {
    this.#told = Math.max(this.#told, version ?? Infinity);
    if (this.busy || this.#told <= (this.view?.version ?? 0)) return;
    this.#told = 0;
    await this.load();
  }

  get #talk(): string {
    return `talk.${this.id}`;
  }
}

const textOf = (block: Block): string => (block.kind === 'line' ? block.say : block.kind === 'text' ? block.text : '');
