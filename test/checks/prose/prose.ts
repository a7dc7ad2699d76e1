import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from '../files.ts'
import type { Finding } from '../finding.ts'
import { actorProblems, proseProblems, titleProblems, withoutCode } from './sentences.ts'
import { sourceOf, type Piece } from './source.ts'
import { fieldNames, houseWords } from './vocabulary.ts'

const code = /^(server|web|test)\/.*\.(ts|js|vue)$/
const generated = /\.d\.ts$|\/dist\//
/** The check of prose quotes the words that it refuses. */
const ownFolder = /^test\/checks\/prose\//

/** Everything a person reads that is not plain, below the paths (all without paths). */
export function proseFindings(root: string, paths: readonly string[] = []): Finding[] {
  const isChosen = (file: string) =>
    paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`))
  return filesOf(root)
    .filter((file) => isChosen(file) && !generated.test(file) && !ownFolder.test(file))
    .flatMap((file) => findingsOf(file, () => readFileSync(join(root, file), 'utf8')))
}

function findingsOf(file: string, read: () => string): Finding[] {
  if (code.test(file)) return [...fileNameFindings(file), ...codeFindings(file, read())]
  if (/^schema\/messages\/en\/.*\.ts$/.test(file)) return messageFindings(file, read())
  if (/\.sql$/.test(file)) return sqlFindings(file, read())
  if (/\.md$/.test(file)) return documentFindings(file, read())
  if (file === 'schema/schema.graphql') return sdlFindings(file, read())
  if (file === 'schema/rest.openapi.json') return openApiFindings(file, read())
  return []
}

export function codeFindings(file: string, text: string): Finding[] {
  const { comments, titles, logEvents, names } = sourceOf(file, text)
  return [
    ...comments.flatMap(inFile(file, 'plain comments', proseProblems)),
    ...titles.flatMap(inFile(file, 'test titles', titleProblems)),
    ...logEvents.flatMap(inFile(file, 'log events', eventProblems)),
    ...names.filter(isOurs(file)).flatMap(inFile(file, 'field words', nameProblems)),
  ]
}

/** Keys of recorded answers are data. */
const isOurs = (file: string): ((name: Piece) => boolean) =>
  file.startsWith('server/sandbox/test/') ? ({ text }) => !/^(given|about)$/.test(text) : () => true

const inFile =
  (file: string, rule: string, problemsOf: (text: string) => readonly string[]) =>
  ({ line, text }: Piece): Finding[] =>
    problemsOf(text).map((message) => ({ file, rule, line, message }))

const eventProblems = (event: string): string[] =>
  /^[a-z][a-z0-9]*(_[a-z0-9]+)*\.[a-z0-9]+(_[a-z0-9]+)*$/.test(event)
    ? []
    : [`"${event}" is a sentence: log a stable event name such as "reconcile.key_poisoned"`]

/** Returns the house words in a name, which is in camel case, snake case or kebab case. */
export function nameProblems(name: string): string[] {
  if (fieldNames.test(name)) return []
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => Object.hasOwn(houseWords, word))
    .map((word) => `"${name}" has the house word "${word}": say ${houseWords[word]}`)
}

function fileNameFindings(file: string): Finding[] {
  return file
    .split('/')
    .flatMap((part) => nameProblems(part))
    .map((message) => ({ file, rule: 'field words', message }))
}

/** Comments of SQL; lines that follow each other are one comment. */
function sqlFindings(file: string, text: string): Finding[] {
  const uncommented = (comment: string) => comment.replace(/^[ \t]*--[ \t]?/gm, '').trim()
  return piecesOf(text, /(?:^[ \t]*--.*\n)+/gm, ({ 0: comment }) => uncommented(comment)).flatMap(
    inFile(file, 'plain comments', proseProblems),
  )
}

/** Documents may have longer sentences; their words are those of the comments. */
function documentFindings(file: string, text: string): Finding[] {
  const prose = text.replace(/^```[^]*?^```/gm, (block) => block.replace(/[^\n]/g, ''))
  return prose
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: withoutCode(line) }))
    .flatMap(inFile(file, 'plain documents', actorProblems))
}

const messageText = /: *\n? *(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`]*)`),/g

const messageFindings = (file: string, text: string): Finding[] =>
  piecesOf(text, messageText, ({ 1: single, 2: double, 3: template }) =>
    (single ?? double ?? template ?? '').replace(/\{[^}]*\}/g, 'code'),
  ).flatMap(inFile(file, 'plain messages', proseProblems))

const sdlFindings = (file: string, text: string): Finding[] =>
  piecesOf(text, /"""([^]*?)"""|^\s*"([^"\n]+)"$/gm, ({ 1: block, 2: short }) =>
    (block ?? short ?? '').trim(),
  ).flatMap(inFile(file, 'plain descriptions', proseProblems))

const openApiFindings = (file: string, text: string): Finding[] =>
  piecesOf(text, /"(?:description|summary)": ("(?:[^"\\]|\\.)*")/g, ({ 1: json = '""' }) =>
    String(JSON.parse(json)),
  ).flatMap(inFile(file, 'plain descriptions', proseProblems))

const piecesOf = (
  text: string,
  pattern: RegExp,
  textOf: (match: RegExpExecArray) => string,
): Piece[] =>
  [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    text: textOf(match),
  }))
