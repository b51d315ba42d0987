/** Renders Markdown of coaches, learners and models as safe HTML, without anything that could run, load or style. */
import DOMPurify from 'dompurify';
import { Marked } from 'marked';

/** Treats HTML in a text as text: `Vec<T>` stays readable, and the browser never parses any of it. */
const marked = new Marked({ gfm: true, breaks: false, async: false, renderer: { html: ({ text }) => escaped(text) } });

const MATHS = /\$\$([\s\S]{1,2000}?)\$\$|(?<![\\$\w])\$(?!\s)([^$\n]{1,400}?)(?<![\s\\])\$(?![\d\w])/g;
/** Texts longer than this are cut and shown as plain text: no lesson is that long. */
const MAX_CHARS = 200_000;

export const hasMaths = (text: string): boolean => text.length < MAX_CHARS && text.search(MATHS) >= 0;

export function html(text: string, maths?: (source: string, isBlock: boolean) => string): string {
  if (text.length > MAX_CHARS) return `<pre>${escaped(text.slice(0, MAX_CHARS))}…</pre>`;
  const formulas: string[] = [];
  const kept = maths ? outsideCode(text, (part) => part.replace(MATHS, (_, block, inline) => keep(formulas, maths(block ?? inline, block !== undefined)))) : text;
  const rendered = marked.parse(kept) as string;
  const clean = DOMPurify.sanitize(rendered, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'textarea', 'select', 'video', 'audio', 'picture', 'source', 'iframe', 'object', 'embed', 'link', 'meta', 'base', 'svg', 'math'],
    FORBID_ATTR: ['style', 'srcset', 'class', 'id', 'name', 'tabindex', 'autofocus'],
    ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#)/i,
    RETURN_TRUSTED_TYPE: false,
  });
  return clean.replace(/\uE000(\d+)\uE001/g, (_, at) => formulas[Number(at)] ?? '');
}

const BRIEF_CHARS = 90;

/** Returns the beginning of a text in one line: without Markdown marks, and cut between words. */
export function brief(text: string): string {
  const { textContent } = new DOMParser().parseFromString(html(text.slice(0, 10 * BRIEF_CHARS)), 'text/html').body;
  const line = textContent!.trim().replace(/\s+/g, ' ');
  return line.length <= BRIEF_CHARS ? line : `${line.slice(0, line.lastIndexOf(' ', BRIEF_CHARS) + 1 || BRIEF_CHARS).trimEnd()} …`;
}

/** Sets a formula aside and returns a placeholder, which `html` replaces after cleaning. KaTeX writes the source as text. */
function keep(formulas: string[], formula: string): string {
  formulas.push(DOMPurify.sanitize(formula, { USE_PROFILES: { mathMl: true }, ADD_TAGS: ['semantics', 'annotation'], FORBID_ATTR: ['style', 'href'] }));
  return `\uE000${formulas.length - 1}\uE001`;
}

function outsideCode(text: string, change: (part: string) => string): string {
  const parts = text.replace(/[\uE000\uE001]/g, '').split(/(```[\s\S]*?(?:```|$)|`[^`\n]*`)/);
  return parts.map((part, at) => (at % 2 ? part : change(part))).join('');
}

const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]!);

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.tagName === 'A') {
    node.setAttribute('rel', 'noopener noreferrer');
    node.setAttribute('target', '_blank');
  }
  // Elements that scroll can be reached by keyboard.
  if (node.tagName === 'PRE' || node.tagName === 'TABLE') node.setAttribute('tabindex', '0');
  // A picture from another server would tell that server who is reading.
  if (node.tagName === 'IMG') node.replaceWith(node.getAttribute('alt') ?? '');
});
