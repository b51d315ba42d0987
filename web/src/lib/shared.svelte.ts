/** Data that several pages show: the learner's home, and the flows of the server. */
import { get, post } from './api';
import * as kept from './kept';
import { watch } from './live.svelte';
import { route } from './route.svelte';
import type { Answer, Begin, FlowRow, Home } from './types';
import { words } from './words.svelte';

class Shared {
  home = $state.raw<Home | undefined>();
  flows = $state.raw<FlowRow[]>([]);
  /** The version that this page was loaded with. */
  #version = '';
  isOutdated = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  async load(): Promise<void> {
    const home = await get<Home>('/api/home');
    this.#version ||= home.version;
    this.isOutdated = home.version !== this.#version;
    if (home.language !== words.language) words.set(home.language);
    this.home = home;
  }

  /** Reloads after changes on the server, at most twice a second, until the returned function is called. */
  follow(): () => void {
    return watch('/api/changes', () => {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        void this.load().catch(() => undefined);
      }, 500);
    });
  }

}

export const shared = new Shared();

let asked: Promise<FlowRow[]> | undefined;

export function flowsKnown(): Promise<FlowRow[]> {
  asked ??= get<{ flows: FlowRow[] }>('/api/flows').then(({ flows }) => (shared.flows = flows));
  asked.catch(() => (asked = undefined));
  return asked;
}

/** Reads the flows of the server again, after one was added or removed. */
export function flowsAgain(): Promise<FlowRow[]> {
  asked = undefined;
  return flowsKnown();
}

/** Opens a flow and goes to its desk. */
export async function begin({ flow, beside, given }: Begin): Promise<Answer> {
  const answer = await post<Answer>(`/api/flows/${encodeURIComponent(flow)}/open`, { ...(beside ? { beside } : {}), given });
  const shown = new Set((answer.desk?.blocks ?? []).map((block) => (block.kind === 'line' ? block.say : '')));
  const question = answer.desk?.ask?.question;
  const news = (answer.said ?? []).filter((line) => !shown.has(line.say) && !(question && line.say.startsWith(question)));
  if (news.length > 0) kept.write(`talk.${answer.id}`, [{ who: 'coach', lines: news }]);
  route.go(`/at/${encodeURIComponent(answer.id)}`);
  return answer;
}
