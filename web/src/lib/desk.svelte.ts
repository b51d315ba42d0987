/** One flow as it stands, what has been said at it in this browser, and the one way to move it. */
import { Away, fresh, get, post, Refusal } from './api';
import * as kept from './kept';
import { watch } from './live.svelte';
import { flowsKnown } from './shared.svelte';
import type { Answer, Block, Line, Schema, View } from './types';
import { t } from './words.svelte';

/** What a block may do with the flow that it belongs to. */
export type Acts = { offers: (verb: string) => boolean; isBusy: () => boolean; isUsing: (verb: string) => boolean; use: (verb: string, given: Record<string, unknown>) => void };
export const ACTS = Symbol('acts');

export type Said = { who: 'coach' | 'you'; lines?: Line[]; blocks?: Block[]; text?: string };

/** More than this is history, and history is Inside. */
const MAX_SAID = 30;
/** Who waits for less than this has not waited. */
const MOMENT_MS = 100;
const MAX_TEXT = 4000;

export class Seat {
  view = $state.raw<View | undefined>();
  said = $state.raw<Said[]>([]);
  busy = $state(false);
  /** Which verb is on its way. */
  using = $state('');
  /** What the learner has just said, shown before the coach has answered. */
  sending = $state('');
  /** Whether the answer takes longer than a moment. */
  isSlow = $state(false);
  /** What the coach does meanwhile: which question it asks a model, and the sentences of the reply that can be read. */
  doing = $state.raw<{ asks: string; text: string } | undefined>();
  problem = $state('');
  note = $state('');
  failed = $state('');
  #stop: () => void;
  /** The newest version that the server has told of. */
  #told = 0;

  constructor(readonly id: string) {
    this.said = kept.read<Said[]>(this.#talk, []);
    void this.load();
    const stops = [
      watch(`/api/instances/${encodeURIComponent(id)}/changes`, (told, event) => this.#hears(told, event), ['change', 'missed', 'coach', 'said']),
      kept.watched(this.#talk, () => (this.said = kept.read<Said[]>(this.#talk, []))),
    ];
    this.#stop = () => stops.forEach((stop) => stop());
  }

  close(): void {
    this.#stop();
  }

  async load(): Promise<void> {
    try {
      const seen = await get<View>(`/api/instances/${encodeURIComponent(this.id)}`);
      // An answer that came meanwhile is newer.
      if (seen.version >= (this.view?.version ?? 0)) this.view = seen;
      this.failed = '';
    } catch (error) {
      if (!(error instanceof Away)) this.failed = error instanceof Refusal ? error.told : (error as Error).message;
      else if (!this.view) this.failed = t('away');
    }
  }

  /** Uses a verb. True if the flow took it. */
  async use(verb: string, given: Record<string, unknown>, shown: string): Promise<boolean> {
    return this.#send(`verbs/${encodeURIComponent(verb)}`, given, shown, verb);
  }

  /** Sends an event to a law without words of its own. */
  async event(event: string, facts: string[]): Promise<boolean> {
    return this.#send('events', { event, facts, expect_version: this.view?.version }, event, event);
  }

  /** The answer in the shape that the verb takes: most take a text. */
  async answer(given: string | Record<string, unknown>, shown: string): Promise<boolean> {
    const verb = this.view?.desk?.ask?.verb ?? '';
    const takes = (await this.schema(verb))?.properties ?? {};
    // A lesson takes a program as the text of an answer.
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
      // The turn goes on without this request, and what it says is told.
      if (error instanceof Refusal && error.code === 'too_slow') return await this.#left(before, shown);
      return await this.#refused(error);
    } finally {
      clearTimeout(slow);
      [this.busy, this.using, this.sending, this.isSlow] = [false, '', '', false];
      // What was told of while the answer was on its way.
      void this.#moved(0);
    }
  }

  /** What a voice has brought about. */
  took(answer: Answer, shown: string): void {
    if (this.view && answer.version > this.view.version) this.#hear(this.view, answer, shown);
  }

  /** While a voice is understood, nothing else is sent. */
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
    // Lessons and statements stay in sight; what was said in passing is kept.
    const isTalk = !(before.desk?.blocks ?? []).some((block) => block.kind === 'text' || (block.kind === 'line' && block.role === 'heading'));
    const blocks = (before.desk?.blocks ?? []).filter((block) => isTalk && block.kind === 'line' && ['scene', 'cue', 'question', 'note', 'hint'].includes(block.role));
    const past: Said[] = [];
    if (blocks.length > 0 || asked) past.push({ who: 'coach', blocks: asked ? [...blocks, { kind: 'line', say: asked, role: 'question' }] : blocks });
    if (shown) past.push({ who: 'you', text: shown.slice(0, MAX_TEXT) });
    if (lines.length > 0) past.push({ who: 'coach', lines });
    this.said = [...this.said, ...past].slice(-MAX_SAID);
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

  /** Lines that came without a request of this browser: after a long wait, or by the clock. */
  async #late({ version, said }: { version: number; said: Line[] }): Promise<void> {
    // Of several tabs the first one writes them down; the others read them there.
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
