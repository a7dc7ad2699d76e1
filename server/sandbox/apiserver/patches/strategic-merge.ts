import { isDeepStrictEqual } from 'node:util'
import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { type Schema } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'

/*
 * The patch that clients make of built-in kinds: like a merge patch, but lists whose items have
 * keys (or are sets) merge too, and keys that begin with a dollar direct the merging. Which lists
 * those are is what the schemas say of server-side apply; the first key tells items apart.
 */
export function strategicMerge(
  target: JsonMap,
  patch: JsonMap,
  schema: Schema | undefined,
): JsonMap {
  const { $patch, $retainKeys, ...changes } = patch
  if ($patch === 'replace') return withoutDirectives(changes)
  if ($patch === 'delete') return {}
  if ($patch !== undefined && $patch !== 'merge')
    throw refuse.badRequest(`unknown patch directive: ${JSON.stringify($patch)}`)
  const result = new Map(
    Object.entries(target).filter(
      ([key]) => !Array.isArray($retainKeys) || $retainKeys.includes(key),
    ),
  )
  for (const [key, gone] of directed(changes, '$deleteFromPrimitiveList/')) {
    const list = result.get(key)
    if (Array.isArray(list))
      result.set(
        key,
        list.filter((item) => !gone.includes(item)),
      )
  }
  const orders = new Map(directed(changes, '$setElementOrder/'))
  for (const key of new Set([...plainKeys(changes), ...orders.keys()])) {
    const merged = mergedField(result.get(key), changes[key], {
      schema: fieldOf(schema, key),
      order: orders.get(key),
    })
    if (merged === undefined) result.delete(key)
    else result.set(key, merged)
  }
  return Object.fromEntries(result)
}

const plainKeys = (changes: JsonMap): string[] =>
  Object.keys(changes).filter((key) => !key.startsWith('$'))

const fieldOf = (schema: Schema | undefined, key: string): Schema | undefined =>
  schema?.properties?.[key] ?? schema?.additionalProperties

const directed = (changes: JsonMap, prefix: string): [string, Json[]][] =>
  Object.entries(changes).flatMap(([key, value]) =>
    key.startsWith(prefix) && Array.isArray(value) ? [[key.slice(prefix.length), value]] : [],
  )

interface Place {
  schema: Schema | undefined
  /** In which the items of a list shall come. */
  order: readonly Json[] | undefined
}

function mergedField(
  old: Json | undefined,
  change: Json | undefined,
  place: Place,
): Json | undefined {
  if (change === null) return undefined
  if (isMap(change)) return strategicMerge(isMap(old) ? old : {}, change, place.schema)
  if (Array.isArray(change)) return mergedItems(old, change, place)
  // Without a change there is an order, which only lists have.
  return change === undefined && Array.isArray(old)
    ? mergedItems(old, null, place)
    : (change ?? old)
}

function mergedItems(
  old: Json | undefined,
  given: readonly Json[] | null,
  { schema, order }: Place,
): Json | undefined {
  const key = mergeKeyOf(schema)
  if (key === null) return given === null ? old : [...given]
  return mergedList(Array.isArray(old) ? old : [], given ?? [], {
    key,
    items: schema?.items,
    order,
  })
}

/** Null where a list is replaced whole; the empty word where the items are their own keys. */
function mergeKeyOf(schema: Schema | undefined): string | null {
  const type = schema?.['x-kubernetes-list-type']
  if (type === 'set') return ''
  return type === 'map' ? (schema?.['x-kubernetes-list-map-keys']?.[0] ?? null) : null
}

interface ListRule {
  key: string
  items: Schema | undefined
  order: readonly Json[] | undefined
}

function mergedList(
  old: readonly Json[],
  given: readonly Json[],
  { key, items, order }: ListRule,
): Json[] {
  const identity = (item: Json): Json => (key === '' ? item : identityOf(item, key))
  const isSame = (one: Json) => (other: Json) => isDeepStrictEqual(identity(one), identity(other))
  const replaces = given.some((item) => directiveOf(item) === 'replace')
  const kept = replaces ? [] : [...old]
  for (const change of given.filter((item) => directiveOf(item) !== 'replace')) {
    const at = kept.findIndex(isSame(change))
    const next = directiveOf(change) === 'delete' ? [] : [mergedItem(kept[at], change, items)]
    kept.splice(at < 0 ? kept.length : at, 1, ...next)
  }
  return order ? inOrder(kept, { old, order, isSame }) : kept
}

const directiveOf = (item: Json): Json | undefined => (isMap(item) ? item.$patch : undefined)

function mergedItem(old: Json | undefined, change: Json, schema: Schema | undefined): Json {
  return isMap(change) ? strategicMerge(isMap(old) ? old : {}, change, schema) : change
}

function identityOf(item: Json, key: string): Json {
  const identity = isMap(item) ? item[key] : undefined
  if (identity !== undefined) return identity
  throw refuse.badRequest(
    `map: ${JSON.stringify(item)} does not contain declared merge key: ${key}`,
  )
}

interface Ordering {
  old: readonly Json[]
  order: readonly Json[]
  isSame: (one: Json) => (other: Json) => boolean
}

/**
 * What the client ordered comes in its order; what only the server knows stays before what it stood
 * before.
 */
function inOrder(items: readonly Json[], { old, order, isSame }: Ordering): Json[] {
  const ordered = order.flatMap((wanted) => items.filter(isSame(wanted)))
  const others = items.filter((item) => !order.some(isSame(item)))
  const result: Json[] = []
  while (ordered.length > 0 && others.length > 0) {
    const [first, other] = [
      old.findIndex(isSame(ordered[0] ?? null)),
      old.findIndex(isSame(others[0] ?? null)),
    ]
    const isFirst = first >= 0 && other >= 0 && first < other
    result.push(...(isFirst ? ordered : others).splice(0, 1))
  }
  return [...result, ...ordered, ...others]
}

/** What a directive puts in place is taken as it is, without further directives. */
const withoutDirectives = (map: JsonMap): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !key.startsWith('$')))
