/** The connection to the server: whether it answers, whether this browser is signed in, and the changes it announces. */
class Live {
  isAway = $state(false);
  /** Set for four seconds after the server came back. */
  isBack = $state(false);
  isSignedOut = $state(false);
  /** Seconds until the next try. */
  wait = $state(0);
  #returned: (() => void)[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;

  away(): void {
    if (this.isAway) return;
    this.isAway = true;
    this.#tries = 0;
    this.#tick(1);
  }

  here(): void {
    if (!this.isAway) return;
    this.isAway = false;
    clearTimeout(this.#timer);
    this.isBack = true;
    setTimeout(() => (this.isBack = false), 4000);
    this.#returned.splice(0).forEach((resume) => resume());
  }

  signedOut(): void {
    this.isSignedOut = true;
  }

  /** Resolves when the server answers again. */
  back(): Promise<void> {
    return this.isAway ? new Promise((resume) => this.#returned.push(resume)) : Promise.resolve();
  }

  async tryNow(): Promise<void> {
    clearTimeout(this.#timer);
    const answered = await fetch('/healthz', { cache: 'no-store' }).then((response) => response.ok, () => false);
    if (answered) return this.here();
    this.#tries += 1;
    this.#tick(Math.min(8, 2 ** this.#tries));
  }

  #tick(seconds: number): void {
    this.wait = seconds;
    this.#timer = setTimeout(() => (seconds > 1 ? this.#tick(seconds - 1) : void this.tryNow()), 1000);
  }
}

export const live = new Live();

/** Calls back whenever the server announces a change, until the returned function is called. */
export function watch(path: string, changed: (data: any, event: string) => void, events: string[] = ['change', 'missed']): () => void {
  let source: EventSource | undefined;
  let isOver = false;
  const open = (): void => {
    if (isOver) return;
    source = new EventSource(path);
    for (const event of events) source.addEventListener(event, (told) => changed(read((told as MessageEvent).data), event));
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) void reopen();
    };
  };
  // Runs when the browser gave up. A forbidden or missing source stays closed; any other reopens as soon as the server answers.
  const reopen = async (): Promise<void> => {
    const status = await statusOf(path);
    if (isOver || status === 403 || status === 404) return;
    if (status === 401) return live.signedOut();
    if (status === 200) await new Promise((resume) => setTimeout(resume, 1000));
    else live.away();
    await live.back();
    changed(undefined, 'missed');
    open();
  };
  open();
  return () => {
    isOver = true;
    source?.close();
  };
}

/** Returns the HTTP status of a path, or 0 if the server does not answer. */
async function statusOf(path: string): Promise<number> {
  const stop = new AbortController();
  const status = await fetch(path, { signal: stop.signal }).then((response) => response.status, () => 0);
  stop.abort();
  return status;
}

function read(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
