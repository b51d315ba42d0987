/** Shortcuts: single letters outside of text fields, and chords with Ctrl or Cmd anywhere. */
import * as kept from './kept';
import { t } from './words.svelte';

type Shortcut = { keys: string; label: string; run: (event: KeyboardEvent) => void };

class Keys {
  areOn = $state(kept.read('keys', true));
  known: Shortcut[] = [];
  #before = '';
  /** Whether the last key was Escape. */
  #isEscaped = false;

  /** Adds shortcuts until the returned function is called. */
  add(...more: Shortcut[]): () => void {
    this.known = [...this.known, ...more];
    return () => (this.known = this.known.filter((shortcut) => !more.includes(shortcut)));
  }

  /** Adds default shortcuts, which the shortcuts of a page override. */
  found(...more: Shortcut[]): () => void {
    this.known = [...more, ...this.known];
    return () => (this.known = this.known.filter((shortcut) => !more.includes(shortcut)));
  }

  set(on: boolean): void {
    this.areOn = on;
    kept.write('keys', on);
  }

  hear = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const chord = (event.metaKey || event.ctrlKey ? 'Mod ' : '') + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    const isFloating = document.querySelector('dialog[open]') !== null;
    const isPlain = !event.metaKey && !event.ctrlKey;
    // In a code editor, Escape lets Tab leave; a second one in a row leaves at once.
    const isFirst = event.key === 'Escape' && !this.#isEscaped && event.composedPath().some((part) => (part as Element).classList?.contains('cm-editor'));
    this.#isEscaped = event.key === 'Escape';
    if (isFirst) return;
    // The first Escape leaves the text field; the next one leaves the page.
    if (event.key === 'Escape' && !isFloating && isText(event)) return document.getElementById('main')?.focus({ preventScroll: true });
    if (isPlain && event.key !== 'Escape' && (!this.areOn || isFloating || isText(event))) return void (this.#before = '');
    const sequence = this.#before ? `${this.#before} ${chord}` : chord;
    const found = this.known.findLast((shortcut) => shortcut.keys === sequence) ?? this.known.findLast((shortcut) => shortcut.keys === chord);
    this.#before = isPlain && chord === 'g' && !found ? chord : '';
    if (!found || (isFloating && !found.keys.startsWith('Mod'))) return;
    event.preventDefault();
    found.run(event);
  };
}

export const keys = new Keys();

/** The modifier key of chords, as it is printed on the keyboard. */
export const mod = (): string => (navigator.platform.startsWith('Mac') ? '⌘' : `${t('key-ctrl')} `);

function isText(event: KeyboardEvent): boolean {
  const at = event.composedPath()[0] as HTMLElement;
  return at.matches?.('input:not([type="radio"]):not([type="checkbox"]):not([type="range"]), textarea, select, [contenteditable="true"]') ?? false;
}
