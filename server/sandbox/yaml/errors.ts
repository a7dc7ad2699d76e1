import { type LineCounter, type YAMLParseError } from 'yaml'

/** A YAML error with the message that Kubernetes clients expect. */
export class YamlError extends Error {
  override name = 'YamlMistake'
}

const cannotStart = 'found character that cannot start any token'
const valueNotAllowed = 'mapping values are not allowed in this context'

/** Errors of the scanner, whose line numbers begin at one. */
const scannerMessages: Readonly<Partial<Record<string, string>>> = {
  TAB_AS_INDENT: cannotStart,
  BAD_SCALAR_START: cannotStart,
  BAD_DIRECTIVE: 'found unknown directive name',
  BAD_DQ_ESCAPE: 'found unknown escape character',
  BLOCK_AS_IMPLICIT_KEY: valueNotAllowed,
  MULTILINE_IMPLICIT_KEY: valueNotAllowed,
}

export function yamlErrorFrom(error: YAMLParseError, lines: LineCounter, text: string): YamlError {
  // An error in a multiline key is reported at its end.
  const { line } = lines.linePos(error.pos[error.code === 'MULTILINE_IMPLICIT_KEY' ? 1 : 0])
  const scannerMessage =
    scannerMessages[error.code] ??
    (isUnclosedQuote(error) ? 'found unexpected end of stream' : null)
  if (scannerMessage !== null) return mistakeAt(scannerMessage, line)
  // Errors of the parser have line numbers that begin at zero. At the end of the text the number is
  // one higher.
  const isAtEnd = error.pos[0] >= text.trimEnd().length
  return mistakeAt(parserMessageOf(error, text), isAtEnd ? line : line - 1, 1)
}

const mistakeAt = (message: string, line: number, first = 2): YamlError =>
  new YamlError(line < first ? `yaml: ${message}` : `yaml: line ${line}: ${message}`)

const isUnclosedQuote = ({ code, message }: YAMLParseError): boolean =>
  code === 'MISSING_CHAR' && /quote/.test(message)

function parserMessageOf({ message, pos }: YAMLParseError, text: string): string {
  if (/^Flow sequence/.test(message)) return "did not find expected ',' or ']'"
  if (/^Flow map/.test(message)) return "did not find expected ',' or '}'"
  if (/flow-(seq|map)-end/.test(message)) return 'did not find expected node content'
  const above = text.slice(0, pos[0]).trimEnd().split('\n').at(-1) ?? ''
  return above.trimStart().startsWith('- ')
    ? "did not find expected '-' indicator"
    : 'did not find expected key'
}
