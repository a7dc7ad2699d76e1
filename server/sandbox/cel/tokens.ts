export interface Token {
  kind: 'name' | 'text' | 'number' | 'sign' | 'end'
  text: string
  /** Where it begins, from 0. */
  at: number
}

/** The text is none that this cluster can evaluate. */
export class CelRefused extends Error {
  constructor(at: number, why: string) {
    super(`ERROR: <input>:1:${at + 1}: ${why}`)
    this.name = 'CelRefused'
  }
}

const patterns = {
  gap: /\s+/y,
  raw: /r(?:"([^"\n]*)"|'([^'\n]*)')/y,
  text: /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/y,
  number: /\d+/y,
  name: /[A-Za-z_]\w*/y,
  sign: /&&|\|\||==|!=|<=|>=|[-+!<>?:.,()[\]{}]/y,
} satisfies Record<string, RegExp>

export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  for (let at = matchAt('gap', source, 0)?.[0].length ?? 0; at < source.length;) {
    const [token, length] = tokenAt(source, at)
    tokens.push(token)
    at += length
    at += matchAt('gap', source, at)?.[0].length ?? 0
  }
  return [...tokens, { kind: 'end', text: '<EOF>', at: source.length }]
}

function tokenAt(source: string, at: number): [Token, number] {
  const raw = matchAt('raw', source, at)
  if (raw) return [{ kind: 'text', text: raw[1] ?? raw[2] ?? '', at }, raw[0].length]
  const text = matchAt('text', source, at)
  if (text)
    return [{ kind: 'text', text: unescaped(text[1] ?? text[2] ?? '', at), at }, text[0].length]
  for (const kind of ['number', 'name', 'sign'] as const) {
    const found = matchAt(kind, source, at)
    if (found) return [{ kind, text: found[0], at }, found[0].length]
  }
  throw new CelRefused(
    at,
    `Syntax error: token recognition error at: '${source.slice(at, at + 1)}'`,
  )
}

function matchAt(kind: keyof typeof patterns, source: string, at: number): RegExpExecArray | null {
  const pattern = patterns[kind]
  pattern.lastIndex = at
  return pattern.exec(source)
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '`': '`',
  '?': '?',
}

const unescaped = (text: string, at: number): string =>
  text.replaceAll(/\\(.)/g, (_all, sign: string) => {
    const meant = escapes[sign]
    if (meant === undefined)
      throw new CelRefused(at, `this cluster does not know the escape \\${sign}`)
    return meant
  })
