import { type LineCounter, type YAMLParseError } from 'yaml'

/** What is wrong with a text, in the sentence that clients of Kubernetes know. */
export class YamlMistake extends Error {
  override name = 'YamlMistake'
}

const cannotStart = 'found character that cannot start any token'
const valueNotAllowed = 'mapping values are not allowed in this context'

/** Found while characters are read; the line is counted from one. */
const ofScanner: Readonly<Partial<Record<string, string>>> = {
  TAB_AS_INDENT: cannotStart,
  BAD_SCALAR_START: cannotStart,
  BAD_DIRECTIVE: 'found unknown directive name',
  BAD_DQ_ESCAPE: 'found unknown escape character',
  BLOCK_AS_IMPLICIT_KEY: valueNotAllowed,
  MULTILINE_IMPLICIT_KEY: valueNotAllowed,
}

export function mistakeOf(error: YAMLParseError, lines: LineCounter, text: string): YamlMistake {
  // A key that runs on over lines is a mistake where it ends.
  const { line } = lines.linePos(error.pos[error.code === 'MULTILINE_IMPLICIT_KEY' ? 1 : 0])
  const scanned =
    ofScanner[error.code] ?? (isUnclosedQuote(error) ? 'found unexpected end of stream' : null)
  if (scanned !== null) return said(scanned, line)
  // What is found while tokens are put together counts lines from zero, but the end of the text is
  // a line further.
  const isAtEnd = error.pos[0] >= text.trimEnd().length
  return said(sentenceOf(error, text), isAtEnd ? line : line - 1, 1)
}

const said = (sentence: string, line: number, first = 2): YamlMistake =>
  new YamlMistake(line < first ? `yaml: ${sentence}` : `yaml: line ${line}: ${sentence}`)

const isUnclosedQuote = ({ code, message }: YAMLParseError): boolean =>
  code === 'MISSING_CHAR' && /quote/.test(message)

function sentenceOf({ message, pos }: YAMLParseError, text: string): string {
  if (/^Flow sequence/.test(message)) return "did not find expected ',' or ']'"
  if (/^Flow map/.test(message)) return "did not find expected ',' or '}'"
  if (/flow-(seq|map)-end/.test(message)) return 'did not find expected node content'
  const above = text.slice(0, pos[0]).trimEnd().split('\n').at(-1) ?? ''
  return above.trimStart().startsWith('- ')
    ? "did not find expected '-' indicator"
    : 'did not find expected key'
}
