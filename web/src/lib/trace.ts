/** What a step of a trace shows beside its variables: a row of cells, and who points into it. */
import type { Step, Trace } from './types';

export type Cells = { name: string; cells: string[]; marks: { name: string; at: number }[]; from: number; to: number };

/** More cells than this fit no screen. */
const MAX_CELLS = 24;
/** Names that mean a place. A number of another name is a value, and points nowhere. */
const PLACES = /^(i|j|k|l|r|p|q|lo|hi|low|high|left|right|start|end|mid|middle|slow|fast|pos|position|index|idx|read|write|begin|first|last|head|tail|at)$/;
/** Of these two, what lies between them is the window. */
const SIDES: [RegExp, RegExp][] = [[/^(left|lo|low|start|begin|l|slow|first)$/, /^(right|hi|high|end|r|fast|last|i|j)$/]];

/** The first list or text among the variables of the call, with the places that others have in it. */
export function cells(step: Step): Cells | undefined {
  for (const [name, text] of Object.entries(step.variables)) {
    const parts = row(text);
    if (!parts || parts.length === 0 || parts.length > MAX_CELLS) continue;
    const marks = Object.entries(step.variables)
      .filter(([other, value]) => PLACES.test(other) && /^\d+$/.test(value) && Number(value) < parts.length)
      .map(([other, value]) => ({ name: other, at: Number(value) }));
    const [from, to] = span(marks);
    return { name, cells: parts, marks, from, to };
  }
  return undefined;
}

/** What a variable was before this step in the same call, if it was another value. */
export function before(trace: Trace, at: number, name: string): string | undefined {
  const depth = trace.steps[at]!.stack.length;
  for (let past = at - 1; past >= 0; past -= 1) {
    const step = trace.steps[past]!;
    if (step.stack.length < depth) return undefined;
    if (step.stack.length === depth) return step.variables[name];
  }
  return undefined;
}

function span(marks: { name: string; at: number }[]): [number, number] {
  for (const [low, high] of SIDES) {
    const from = marks.find((mark) => low.test(mark.name));
    const to = marks.find((mark) => high.test(mark.name) && mark !== from);
    if (from && to && from.at <= to.at) return [from.at, to.at];
  }
  return [-1, -1];
}

/** The parts of a list or a text as Python and JavaScript write them; nothing if it is none, or was cut off. */
function row(text: string): string[] | undefined {
  const quoted = /^(['"])(.*)\1$/s.exec(text);
  if (quoted) return [...quoted[2]!];
  if (!/^\[.*\]$/s.test(text)) return undefined;
  const parts = [];
  let depth = 0;
  let quote = '';
  let part = '';
  for (const letter of text.slice(1, -1)) {
    if (quote) quote = letter === quote ? '' : quote;
    else if (letter === "'" || letter === '"') quote = letter;
    else if ('[({'.includes(letter)) depth += 1;
    else if ('])}'.includes(letter)) depth -= 1;
    if (letter === ',' && depth === 0 && !quote) {
      parts.push(part.trim());
      part = '';
    } else part += letter;
  }
  return part.trim() ? [...parts, part.trim()] : parts;
}
