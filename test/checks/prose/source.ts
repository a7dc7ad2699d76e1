import ts from 'typescript'
import { componentScript } from '../component-script.ts'

/** A piece of prose or a name of a file, with the line where it begins. */
export interface Piece {
  readonly line: number
  readonly text: string
}

export interface Source {
  readonly comments: readonly Piece[]
  readonly titles: readonly Piece[]
  readonly logEvents: readonly Piece[]
  readonly names: readonly Piece[]
}

/** Reads TypeScript and JavaScript; of a component its script, and the comments of its template. */
export function sourceOf(file: string, text: string): Source {
  const script = file.endsWith('.vue') ? componentScript(text) : text
  const tree = ts.createSourceFile(file, script, ts.ScriptTarget.Latest, true)
  const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line + 1
  const collected = { titles: [], logEvents: [], names: [] } satisfies Record<string, Piece[]>
  collect(tree, lineAt, collected)
  return { ...collected, comments: [...commentsOf(tree, lineAt), ...templateComments(file, text)] }
}

interface Collected {
  readonly titles: Piece[]
  readonly logEvents: Piece[]
  readonly names: Piece[]
}

function collect(node: ts.Node, lineAt: (position: number) => number, into: Collected): void {
  const piece = (of: ts.Node, text: string): Piece => ({ line: lineAt(of.getStart()), text })
  if (ts.isCallExpression(node)) {
    const first = node.arguments[0]
    const text = first && literalText(first)
    if (first && text !== undefined && isTest(node.expression)) into.titles.push(piece(first, text))
    if (first && text !== undefined && isLog(node.expression))
      into.logEvents.push(piece(first, text))
  }
  const name = declaredName(node)
  if (name) into.names.push(piece(name, name.text))
  ts.forEachChild(node, (child) => collect(child, lineAt, into))
}

/** The text of a string; a `${…}` becomes the placeholder `%s`. */
function literalText(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `%s${literal.text}`).join('')
}

const isTest = (callee: ts.Expression): boolean =>
  /^(test|it)(\.(skipIf|runIf|for|each|skip|concurrent|sequential|fails)\b|$)/.test(
    callee.getText(),
  )

const isLog = (callee: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(callee) &&
  /^(info|warn|error|debug)$/.test(callee.name.text) &&
  /(^|[.#])log$/i.test(callee.expression.getText())

const declarations: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.VariableDeclaration,
  ts.SyntaxKind.Parameter,
  ts.SyntaxKind.BindingElement,
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.EnumDeclaration,
  ts.SyntaxKind.PropertySignature,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.MethodSignature,
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.GetAccessor,
])

function declaredName(node: ts.Node): ts.Identifier | undefined {
  if (!declarations.has(node.kind)) return undefined
  // Every kind of the set has a name, which may be a pattern or a string.
  const { name } = node as ts.NamedDeclaration
  return name && ts.isIdentifier(name) ? name : undefined
}

function commentsOf(tree: ts.SourceFile, lineAt: (position: number) => number): Piece[] {
  const text = tree.text
  const ranges = new Map<number, ts.CommentRange>()
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(text, node.pos) ?? [])
      ranges.set(range.pos, range)
    for (const range of ts.getTrailingCommentRanges(text, node.end) ?? [])
      ranges.set(range.pos, range)
    for (const child of node.getChildren(tree)) visit(child)
  }
  visit(tree)
  return joined(
    [...ranges.values()]
      .sort((a, b) => a.pos - b.pos)
      .map(({ pos, end }) => ({ line: lineAt(pos), last: lineAt(end), raw: text.slice(pos, end) })),
  )
}

/** Lines that begin with `//` and follow each other are one comment. */
function joined(
  ranges: readonly { readonly line: number; readonly last: number; readonly raw: string }[],
): Piece[] {
  const pieces: { line: number; last: number; text: string; isLine: boolean }[] = []
  for (const { line, last, raw } of ranges) {
    const isLine = raw.startsWith('//')
    const before = pieces.at(-1)
    if (isLine && before?.isLine && before.last === line - 1) {
      before.text += `\n${plainText(raw)}`
      before.last = last
    } else pieces.push({ line, last, text: plainText(raw), isLine })
  }
  return pieces.filter(({ text }) => text !== '' && !isDirective(text))
}

const plainText = (raw: string): string =>
  raw
    .replace(/^\/\*+|\*+\/$|^\/\/+!?/g, '')
    .replace(/^[ \t]*\*[ \t]?/gm, '')
    .trim()

const isDirective = (text: string): boolean =>
  /^(eslint|prettier|oxlint|@ts-|@vite|@vitest|#__|<reference|v8 |c8 |global |@type\b|!)/.test(text)

const templateComments = (file: string, text: string): Piece[] =>
  file.endsWith('.vue')
    ? [...text.matchAll(/<!--([^]*?)-->/g)].map(({ 1: comment = '', index }) => ({
        line: text.slice(0, index).split('\n').length,
        text: comment.trim(),
      }))
    : []
