/** CodeMirror, assembled from the parts that Etude uses. Loaded when the first editor is shown. */
import { autocompletion, closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting, type LanguageSupport } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, type DecorationSet } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Mark } from '../parts/Editor.svelte';

type Options = { language: string; label: string; isReadOnly: boolean; changed: (text: string) => void; submit: () => void };

const LANGUAGES: Record<string, () => Promise<LanguageSupport>> = {
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript(),
  python: async () => (await import('@codemirror/lang-python')).python(),
  rust: async () => (await import('@codemirror/lang-rust')).rust(),
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
};

const look = EditorView.theme({
  '&': { height: '100%', maxHeight: '70vh', backgroundColor: 'var(--sheet)', color: 'var(--ink)', fontSize: '13px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-gutters': { backgroundColor: 'var(--sheet)', color: 'var(--ink-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '.cm-content': { tabSize: '4' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--mark) !important' },
  '.cm-step': { backgroundColor: 'var(--accent-soft)', boxShadow: 'inset 3px 0 var(--accent)' },
  '.cm-tooltip': { backgroundColor: 'var(--sheet)', color: 'var(--ink)', border: '1px solid var(--rule)' },
  '.cm-matchingBracket': { backgroundColor: 'var(--mark) !important' },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent)' },
  { tag: [tags.string, tags.number, tags.bool], color: 'var(--due)' },
  { tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic' },
]);

/** The default key bindings without the one that the page handles itself. */
const OWN_KEYS = defaultKeymap.filter((binding) => binding.key !== 'Mod-i');

/** The time in which Tab leaves the editor after Escape. Any other key ends it. */
const FREE_MS = 30_000;

/** Lets the next Tab leave the editor. Runs after CodeMirror's own handling of Escape, which allows two seconds. */
function freeTab(editor: EditorView): boolean {
  queueMicrotask(() => editor.setTabFocusMode(FREE_MS));
  return false;
}

const setStep = StateEffect.define<number>();
const stepLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (lines, change) => {
    for (const effect of change.effects) if (effect.is(setStep)) return effect.value > 0 && effect.value <= change.state.doc.lines ? Decoration.set([Decoration.line({ class: 'cm-step' }).range(change.state.doc.line(effect.value).from)]) : Decoration.none;
    return lines.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export async function create(host: HTMLElement, text: string, { language, label, isReadOnly, changed, submit }: Options): Promise<EditorView> {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  const support = new Compartment();
  const editor = new EditorView({
    root,
    parent: root as unknown as Element,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([{ key: 'Escape', run: freeTab }, { key: 'Mod-Enter', run: () => (submit(), true) }, ...closeBracketsKeymap, ...OWN_KEYS, ...historyKeymap, indentWithTab]),
        history(), lineNumbers(), drawSelection(), isReadOnly ? [] : highlightActiveLine(), bracketMatching(), closeBrackets(), indentOnInput(), autocompletion(), lintGutter(), stepLine,
        indentUnit.of(language === 'python' || language === 'rust' ? '    ' : '  '),
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', autocapitalize: 'off', spellcheck: 'false' }),
        EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
        syntaxHighlighting(colours), look, support.of([]),
      ],
    }),
  });
  void LANGUAGES[language]?.().then((loaded) => editor.dispatch({ effects: support.reconfigure(loaded) }));
  return editor;
}

export function replace(editor: EditorView, text: string): void {
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
}

/** Shows problems at their places, and highlights the line of the current step. */
export function show(editor: EditorView, marks: Mark[], highlight: number): void {
  const { doc } = editor.state;
  const diagnostics = marks.filter((mark) => mark.line >= 1 && mark.line <= doc.lines).map((mark) => {
    const line = doc.line(mark.line);
    const from = Math.min(line.to, line.from + Math.max(0, mark.column - 1));
    const word = /^[\w.-]+/.exec(doc.sliceString(from, line.to))?.[0].length ?? 1;
    return { from, to: Math.min(line.to, from + word), severity: mark.severity, message: mark.message };
  });
  editor.dispatch(setDiagnostics(editor.state, diagnostics.sort((a, b) => a.from - b.from)));
  const isThere = highlight > 0 && highlight <= doc.lines;
  editor.dispatch({ effects: [setStep.of(highlight), ...(isThere ? [EditorView.scrollIntoView(doc.line(highlight).from, { y: 'nearest', yMargin: 40 })] : [])] });
}
