/** Requests to the server. A refusal is thrown as it came; a patient request waits until an unreachable server answers. */
import { live } from './live.svelte';
import { has, t } from './words.svelte';

export class Refusal extends Error {
  constructor(readonly status: number, readonly code: string, title: string, readonly cure: string) {
    super(title);
  }

  /** The text to show: the page's own words if it has some for this code, otherwise the server's. */
  get told(): string {
    const own = `refused-${this.code.replaceAll('_', '-')}`;
    return has(own) ? t(own) : [this.message, this.cure].filter(Boolean).map(begun).join(' · ');
  }
}

const begun = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** The server cannot be reached at all. */
export class Away extends Error {}

type Options = { key?: string; version?: number; patient?: boolean };

export const get = <T>(path: string): Promise<T> => request<T>('GET', path);

export const post = <T>(path: string, body: unknown, options: Options = {}): Promise<T> => request<T>('POST', path, body, options);

/** Sends a file unchanged. */
export const send = <T>(path: string, file: Blob): Promise<T> => request<T>('POST', path, file);

/** Makes an idempotency key: a request repeated with the same key changes nothing. */
export const fresh = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

async function request<T>(method: string, path: string, body?: unknown, options: Options = {}): Promise<T> {
  for (;;) {
    try {
      return await once<T>(method, path, body, options);
    } catch (error) {
      if (!(error instanceof Away)) throw error;
      live.away();
      if (!options.patient) throw error;
      await live.back();
    }
  }
}

async function once<T>(method: string, path: string, body: unknown, { key, version }: Options): Promise<T> {
  const headers: Record<string, string> = { 'accept-language': document.documentElement.lang || 'en' };
  const isFile = body instanceof Blob;
  if (method !== 'GET') headers['content-type'] = isFile ? 'application/octet-stream' : 'application/json';
  if (key) headers['idempotency-key'] = key;
  if (version !== undefined) headers['if-match'] = `"${version}"`;
  const init = { method, headers, ...(method === 'GET' ? {} : { body: isFile ? body : JSON.stringify(body ?? {}) }) };
  const response = await fetch(path, init).catch(() => {
    throw new Away();
  });
  live.here();
  if (response.ok) return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
  if (response.status === 401) live.signedOut();
  if (response.status === 503 || response.status === 502) throw new Away();
  const said = await response.json().catch(() => ({}));
  throw new Refusal(response.status, said.code ?? '', said.title ?? response.statusText, said.cure ?? '');
}
