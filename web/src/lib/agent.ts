/** The transcript of an agent: its words at each stop and the verdict on them, read from the log of its session. */
import type { Entry } from './types';

export type Stop = { version: number; pieces: { text: string; isMarked: boolean }[]; kind: string; confidence?: number; source: string; message: string; did: string; isForYou: boolean };

const MAX_TEXT = 1200;

export function transcript(log: Entry[]): Stop[] {
  const stops: Stop[] = [];
  for (const entry of log) {
    const told = entry.payload ?? {};
    if (typeof told.text === 'string' && entry.event === 'stopped') stops.push({ version: entry.version, pieces: marked(told.text, []), kind: '', source: '', message: '', did: '', isForYou: false });
    const stop = stops.at(-1);
    if (!stop) continue;
    if (typeof told.output_type === 'string') {
      const text = stop.pieces.map((piece) => piece.text).join('');
      Object.assign(stop, { kind: told.output_type, confidence: told.confidence, source: told.source ?? '', message: told.coaching_message ?? '', pieces: marked(text, told.words ?? []) });
    }
    if (/^(COACH|DELIVER|STAND_ASIDE)/.test(entry.to)) {
      stop.did = entry.to.startsWith('COACH') ? 'continue' : entry.to.startsWith('DELIVER') ? 'deliver' : 'aside';
      stop.isForYou = stop.did === 'deliver';
    }
  }
  return stops;
}

/** Splits the text into pieces and marks the words that the verdict rests on. */
function marked(text: string, words: string[]): Stop['pieces'] {
  const shown = text.slice(0, MAX_TEXT) + (text.length > MAX_TEXT ? ' …' : '');
  const isMarked = new Array<boolean>(shown.length).fill(false);
  for (const word of words.filter(Boolean)) {
    for (let at = shown.indexOf(word); at >= 0; at = shown.indexOf(word, at + word.length)) isMarked.fill(true, at, at + word.length);
  }
  const pieces: Stop['pieces'] = [];
  for (let at = 0; at < shown.length; at += 1) {
    const last = pieces.at(-1);
    if (last && last.isMarked === isMarked[at]) last.text += shown[at];
    else pieces.push({ text: shown[at]!, isMarked: isMarked[at]! });
  }
  return pieces;
}
