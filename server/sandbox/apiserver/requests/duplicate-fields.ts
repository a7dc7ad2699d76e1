import { childPath } from '../../objects/schema-check.ts'

/*
 * JSON.parse silently keeps the last of two equal keys, but the API server reports them. The text
 * has already been parsed, so it is well-formed. Strings and punctuation are the only tokens that
 * matter.
 */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],]/g

interface Level {
  path: string
  isObject: boolean
  keys: Set<string>
  /** The current key or index. */
  at: string | number
  expectsKey: boolean
}

/** Returns the paths of duplicate fields in the order of the text. */
export function duplicateFields(text: string): string[] {
  const found = new Set<string>()
  const levels: Level[] = []
  for (const [token] of text.matchAll(tokens)) {
    const level = levels.at(-1)
    if (token === '{' || token === '[') levels.push(opened(level, token === '{'))
    else if (token === '}' || token === ']') levels.pop()
    else if (level) read(level, token, found)
  }
  return [...found]
}

const opened = (outer: Level | undefined, isObject: boolean): Level => ({
  path: outer ? pathIn(outer) : '',
  isObject,
  keys: new Set(),
  at: 0,
  expectsKey: isObject,
})

const pathIn = ({ path, at }: Level): string =>
  typeof at === 'number' ? `${path}[${at}]` : childPath(path, at)

function read(level: Level, token: string, found: Set<string>): void {
  if (token === ',') {
    if (level.isObject) level.expectsKey = true
    else if (typeof level.at === 'number') level.at += 1
  } else if (level.expectsKey) {
    level.at = String(JSON.parse(token))
    level.expectsKey = false
    if (level.keys.has(level.at)) found.add(pathIn(level))
    level.keys.add(level.at)
  }
}
