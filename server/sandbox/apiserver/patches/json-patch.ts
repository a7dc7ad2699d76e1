import { isDeepStrictEqual } from 'node:util'
import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { refuse } from '../../objects/status.ts'

/** Applies a merge patch (RFC 7386): null removes a key, maps merge, other values replace. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isMap(patch)) return patch
  const result = new Map(Object.entries(isMap(target) ? target : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key)
    else if (value !== undefined) result.set(key, mergePatch(result.get(key), value))
  }
  return Object.fromEntries(result)
}

const maximumOperations = 10_000

/**
 * Applies a JSON patch (RFC 6902). Every invalid operation gets the same error text, as from the
 * API server.
 */
export function jsonPatch(target: Json, patch: Json): Json {
  if (!Array.isArray(patch))
    throw refuse.badRequest(
      'error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch',
    )
  if (patch.length > maximumOperations) throw refuse.tooLarge(maximumOperations)
  return patch.reduce<Json>((document, operation) => applyOperation(document, operation), target)
}

function applyOperation(document: Json, operation: Json): Json {
  if (!isMap(operation) || typeof operation.path !== 'string') throw refuse.unprocessablePatch()
  const apply = operations[String(operation.op)]
  if (!apply) throw refuse.unprocessablePatch()
  return apply(document, pointer(operation.path), operation)
}

type Apply = (document: Json, path: readonly string[], operation: JsonMap) => Json

const operations: Readonly<Record<string, Apply>> = {
  add: (document, path, { value = null }) => set(document, path, { value, insert: true }),
  replace: (document, path, { value = null }) => set(document, path, { value, insert: false }),
  remove,
  test(document, path, { value = null }) {
    if (!isDeepStrictEqual(read(document, path), value)) throw refuse.unprocessablePatch()
    return document
  },
  copy: (document, path, { from }) =>
    set(document, path, { value: read(document, pointer(String(from))), insert: true }),
  move(document, path, operation) {
    const from = pointer(String(operation.from))
    return set(remove(document, from), path, { value: read(document, from), insert: true })
  },
}

function pointer(text: string): string[] {
  if (text === '') return []
  if (!text.startsWith('/')) throw refuse.unprocessablePatch()
  return text
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function read(document: Json, path: readonly string[]): Json {
  let value: Json | undefined = document
  for (const part of path)
    value = isMap(value)
      ? value[part]
      : Array.isArray(value)
        ? value[indexIn(value, part)]
        : undefined
  return value ?? null
}

interface Insertion {
  value: Json
  insert: boolean
}

function set(document: Json, path: readonly string[], insertion: Insertion): Json {
  const [head, ...rest] = path
  if (head === undefined) return insertion.value
  if (Array.isArray(document)) return setInList(document, [head, ...rest], insertion)
  if (!isMap(document)) throw refuse.unprocessablePatch()
  if (rest.length === 0) return { ...document, [head]: insertion.value }
  return { ...document, [head]: set(document[head] ?? null, rest, insertion) }
}

function setInList(
  list: readonly Json[],
  [head = '', ...rest]: readonly string[],
  insertion: Insertion,
): Json[] {
  if (rest.length === 0 && insertion.insert)
    return list.toSpliced(
      head === '-' ? list.length : indexUpTo(list.length, head),
      0,
      insertion.value,
    )
  const at = indexIn(list, head)
  return list.with(at, rest.length > 0 ? set(list[at] ?? null, rest, insertion) : insertion.value)
}

function remove(document: Json, path: readonly string[]): Json {
  const [head, ...rest] = path
  if (head === undefined) throw refuse.unprocessablePatch()
  if (Array.isArray(document)) {
    const at = indexIn(document, head)
    return rest.length === 0
      ? document.toSpliced(at, 1)
      : document.with(at, remove(document[at] ?? null, rest))
  }
  if (!isMap(document) || document[head] === undefined) throw refuse.unprocessablePatch()
  if (rest.length > 0) return { ...document, [head]: remove(document[head], rest) }
  const { [head]: _removed, ...remaining } = document
  return remaining
}

const indexIn = (list: readonly Json[], part: string): number => indexUpTo(list.length - 1, part)

function indexUpTo(last: number, part: string): number {
  const index = /^(0|[1-9]\d*)$/.test(part) ? Number(part) : -1
  if (index < 0 || index > last) throw refuse.unprocessablePatch()
  return index
}
