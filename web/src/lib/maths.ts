/** Formulas as MathML, which browsers draw themselves. */
import katex from 'katex';

export function render(source: string, isBlock: boolean): string {
  return katex.renderToString(source, { displayMode: isBlock, output: 'mathml', throwOnError: false, trust: false, maxExpand: 200, maxSize: 20, strict: 'ignore' });
}
