import {
  type Document,
  type Node,
  type Pair,
  LineCounter,
  Scalar,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseAllDocuments,
} from 'yaml'
import { type Json, type JsonMap } from '../objects/types.ts'
import { YamlError, yamlErrorFrom } from './errors.ts'
import { plainScalar } from './scalars.ts'

export interface YamlValue {
  value: Json
  /** Messages for repeated keys. The last value wins. */
  repeated: readonly string[]
}

/*
 * Reads the first document of a text as the API server does. The yaml package finds the structure.
 * This code decides the types of scalars, repeated keys and error messages, because the package
 * differs from Kubernetes there.
 */
export function readYaml(text: string): YamlValue {
  if (controlCharacter.test(text)) throw new YamlError('yaml: control characters are not allowed')
  const lines = new LineCounter()
  const settings = {
    version: '1.1',
    schema: 'failsafe',
    uniqueKeys: false,
    lineCounter: lines,
    logLevel: 'silent',
  } as const
  const documents = parseAllDocuments(text, settings)
  const [first] = 'empty' in documents ? [] : documents
  if (!first) return { value: null, repeated: [] }
  const [error] = first.errors
  if (error) throw yamlErrorFrom(error, lines, text)
  const reader = new Reader(first, lines)
  return { value: reader.read(first.contents), repeated: reader.repeated }
}

const controlCharacter = /[^\P{Cc}\t\n\r\u0085]/u

class Reader {
  readonly repeated: string[] = []
  readonly #document: Document
  readonly #lines: LineCounter

  constructor(document: Document, lines: LineCounter) {
    this.#document = document
    this.#lines = lines
  }

  read(node: unknown): Json {
    if (isAlias(node)) return this.read(this.#anchored(node.source, node.resolve(this.#document)))
    if (isMap(node)) return this.#map(node.items)
    if (isSeq(node)) return node.items.map((item) => this.read(item))
    return isScalar(node) ? scalarIn(node) : null
  }

  #anchored(name: string, node: Node | undefined): Node {
    if (node) return node
    throw new YamlError(`yaml: unknown anchor '${name}' referenced`)
  }

  #map(pairs: readonly Pair[]): JsonMap {
    const merged: JsonMap[] = []
    const own = new Map<string, Json>()
    for (const { key, value } of pairs) {
      if (isMergeKey(key)) merged.push(...this.#mergedIn(value))
      else this.#set(own, key, value)
    }
    return Object.fromEntries([...merged.reverse().flatMap(Object.entries), ...own])
  }

  #set(map: Map<string, Json>, key: unknown, value: unknown): void {
    const name = this.#keyOf(key, value)
    if (map.has(name))
      this.repeated.push(
        `line ${this.#lineOf(key)}: key ${JSON.stringify(name)} already set in map`,
      )
    map.set(name, this.read(value))
  }

  #mergedIn(value: unknown): JsonMap[] {
    const read = this.read(value)
    const maps = Array.isArray(read) ? read : [read]
    const isAllMaps = (items: Json[]): items is JsonMap[] =>
      items.every((item) => typeof item === 'object' && item !== null)
    if (isAllMaps(maps)) return maps
    throw new YamlError('yaml: map merge requires map or sequence of maps as the value')
  }

  #keyOf(key: unknown, value: unknown): string {
    const read = this.read(key)
    if (typeof read === 'string' || typeof read === 'number' || typeof read === 'boolean')
      return String(read)
    throw new YamlError(
      `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${JSON.stringify(this.read(value))}`,
    )
  }

  #lineOf(node: unknown): number {
    const start = isScalar(node) ? (node.range?.[0] ?? 0) : 0
    return this.#lines.linePos(start).line
  }
}

const isMergeKey = (key: unknown): boolean =>
  isScalar(key) && key.type === Scalar.PLAIN && key.source === '<<'

function scalarIn(node: Scalar): Json {
  const text = textOf(node)
  if (node.tag === 'tag:yaml.org,2002:binary') return Buffer.from(text, 'base64').toString('utf8')
  const read = hasType(node) ? plainScalar(text) : text
  if (typeof read === 'number' && !Number.isFinite(read))
    throw new YamlError(`json: unsupported value: ${goNumber(read)}`)
  return read
}

const textOf = ({ value, source = '' }: Scalar): string =>
  typeof value === 'string' ? value : source

/** True when the scalar can be more than a string: a plain scalar, or one whose tag sets a type. */
const hasType = ({ type, tag }: Scalar): boolean =>
  tag === undefined ? type === Scalar.PLAIN : typeTags.has(tag)

const typeTags: ReadonlySet<string> = new Set(
  ['int', 'float', 'bool', 'null'].map((name) => `tag:yaml.org,2002:${name}`),
)

const goNumber = (value: number): string =>
  Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
