import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  HighlightStyle,
  bracketMatching,
  defaultHighlightStyle,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view'
import { graphql } from 'cm6-graphql'
import type { GraphQLSchema } from 'graphql'

export type EditorKind = 'graphql' | 'json' | 'answer'

interface EditorOptions {
  kind: EditorKind
  label: string
  schema: GraphQLSchema | null
  onChange: (text: string) => void
  onRun: () => void
}

/** Returns the extensions of an editor. Tab is not bound, so that keyboard users can leave it. */
export function editorExtensions({
  kind,
  label,
  schema,
  onChange,
  onRun,
}: EditorOptions): Extension[] {
  const isAnswer = kind === 'answer'
  const run = keymap.of([{ key: 'Mod-Enter', preventDefault: true, run: () => (onRun(), true) }])
  const writing = [
    history(),
    closeBrackets(),
    autocompletion(),
    indentOnInput(),
    typeOverSelection,
    run,
    keymap.of([...closeBracketsKeymap, ...completionKeymap]),
  ]
  return [
    EditorView.cspNonce.of(
      document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '',
    ),
    isAnswer ? [EditorState.readOnly.of(true)] : writing,
    lineNumbers(),
    foldGutter(),
    drawSelection(),
    bracketMatching(),
    keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
    kind === 'graphql' ? graphql(schema ?? undefined) : json(),
    syntaxHighlighting(inkFromTokens()),
    theme,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-multiline': 'true',
      tabindex: '0',
    }),
    EditorView.updateListener.of(
      (update) => update.docChanged && onChange(update.state.doc.toString()),
    ),
  ]
}

// A browser gives replaced text its old style as an inline style, which the page's CSP forbids. So
// the editor inserts the text itself.
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { from, to, empty } = view.state.selection.main
    if (inputType !== 'insertText' || data === null || empty || view.composing) return false
    const insert = () =>
      view.state.update(view.state.replaceSelection(data), {
        userEvent: 'input.type',
        scrollIntoView: true,
      })
    const isTaken = view.state
      .facet(EditorView.inputHandler)
      .some((take) => take(view, from, to, data, insert))
    if (!isTaken) view.dispatch(insert())
    return true
  },
})

const theme = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '0.8125rem',
    color: 'var(--tone-ink)',
    backgroundColor: 'var(--tone-surface)',
  },
  '&.cm-focused': { outline: '2px solid var(--tone-accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '1.55' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--tone-accent)' },
  '.cm-cursor, .cm-dropCursor': { borderLeft: '2px solid var(--tone-accent)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--tone-faint)', border: 'none' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    {
      background: 'var(--tone-selected)',
    },
  '.cm-tooltip': {
    backgroundColor: 'var(--tone-raised)',
    border: '1px solid var(--tone-line)',
    borderRadius: '6px',
    boxShadow: 'var(--lift-2)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete ul li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--tone-selected)',
    color: 'var(--tone-ink)',
  },
  '.cm-completionInfo': { padding: '6px 10px', maxWidth: '22rem' },
  '.cm-completionDetail': { color: 'var(--tone-faint)', fontStyle: 'normal' },
  '.cm-matchingBracket': { backgroundColor: 'var(--tone-selected) !important' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--tone-idle-wash)',
    border: 'none',
    color: 'var(--tone-soft)',
    padding: '0 6px',
  },
})

const inks: readonly (readonly [hue: string, tone: string])[] = [
  ['#708', 'var(--tone-accent)'],
  ['#219', 'var(--tone-info)'],
  ['#164', 'var(--tone-info)'],
  ['#a11', 'var(--tone-good)'],
  ['#e40', 'var(--tone-warn)'],
  ['#00f', 'var(--tone-ink)'],
  ['#30a', 'var(--tone-warn)'],
  ['#085', 'var(--tone-info)'],
  ['#167', 'var(--tone-info)'],
  ['#256', 'var(--tone-warn)'],
  ['#00c', 'var(--tone-ink)'],
  ['#940', 'var(--tone-faint)'],
  ['#f00', 'var(--tone-bad)'],
]

/**
 * Maps the editor's default highlighting to the console's colours, because its own are unreadable
 * on a dark background.
 */
function inkFromTokens(): HighlightStyle {
  const tones = new Map(inks)
  const specs = defaultHighlightStyle.specs.map((spec) => {
    const color = tones.get(String(spec['color'] ?? ''))
    return { ...spec, color: color ?? 'inherit' }
  })
  return HighlightStyle.define(specs)
}
