/** The picture beside the variables of a trace step: a row of cells, and the variables that point into it. */
import type { Step, Trace } from './types';

export type Cells = { name: string; cells: string[]; marks: { name: string; at: number }[]; from: number; to: number };

/** The most cells that fit on a screen. */
const MAX_CELLS = 24;
/** Names of variables that hold a position. A number under any other name is a value, and points nowhere. */
const PLACES = /^(i|j|k|l|r|p|q|lo|hi|low|high|left|right|start|end|mid|middle|slow|fast|pos|position|index|idx|read|write|begin|first|last|head|tail|at)$/;
/** Pairs of names for the two ends of a window. */
const SIDES: [RegExp, RegExp][] = [[/^(left|lo|low|start|begin|l|slow|first)$/, /^(right|hi|high|end|r|fast|last|i|j)$/]];

/** Returns the first list or text among the variables of the call, with the positions that other variables hold in it. */
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

/** Returns the value of a variable at the previous step of the same call. */
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

/** Splits a list or a text, as Python and JavaScript write it, into its parts. Undefined for other and cut-off values. */
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
