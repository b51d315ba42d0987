/** Local storage: drafts, the talk of a flow, and settings of the page. Storage may be full or forbidden. */
export function read<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`etude.${name}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function write(name: string, value: unknown): void {
  try {
    if (value === undefined || value === '') localStorage.removeItem(`etude.${name}`);
    else localStorage.setItem(`etude.${name}`, JSON.stringify(value));
  } catch {
    // The page still holds the value for as long as it stays open.
  }
}

/** Calls back when another tab writes this name, until the returned function is called. */
export function watched(name: string, changed: () => void): () => void {
  const hear = (event: StorageEvent): void => void (event.key === `etude.${name}` && changed());
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}
