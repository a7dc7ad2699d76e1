import { isDeepStrictEqual } from 'node:util'
import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { type Schema } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'

/*
 * Strategic merge patch, for built-in kinds only. It is like a merge patch, but sets and lists with
 * keys merge too, and keys with a dollar sign are directives. The schemas define these lists for
 * server-side apply; their first key identifies an item.
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

interface MergeContext {
  schema: Schema | undefined
  /** Desired order of the items of a list. */
  order: readonly Json[] | undefined
}

function mergedField(
  old: Json | undefined,
  change: Json | undefined,
  context: MergeContext,
): Json | undefined {
  if (change === null) return undefined
  if (isMap(change)) return strategicMerge(isMap(old) ? old : {}, change, context.schema)
  if (Array.isArray(change)) return mergedItems(old, change, context)
  // An undefined change comes with an order, which only lists have.
  return change === undefined && Array.isArray(old)
    ? mergedItems(old, null, context)
    : (change ?? old)
}

function mergedItems(
  old: Json | undefined,
  changes: readonly Json[] | null,
  { schema, order }: MergeContext,
): Json | undefined {
  const key = mergeKeyOf(schema)
  if (key === null) return changes === null ? old : [...changes]
  return mergedList(Array.isArray(old) ? old : [], changes ?? [], {
    key,
    items: schema?.items,
    order,
  })
}

/**
 * Returns the key that identifies items. Null for a list that is replaced as a whole, and empty for
 * a set.
 */
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
  changes: readonly Json[],
  { key, items, order }: ListRule,
): Json[] {
  const identity = (item: Json): Json => (key === '' ? item : identityOf(item, key))
  const isSame = (one: Json) => (other: Json) => isDeepStrictEqual(identity(one), identity(other))
  const replaces = changes.some((item) => directiveOf(item) === 'replace')
  const merged = replaces ? [] : [...old]
  for (const change of changes.filter((item) => directiveOf(item) !== 'replace')) {
    const at = merged.findIndex(isSame(change))
    const next = directiveOf(change) === 'delete' ? [] : [mergedItem(merged[at], change, items)]
    merged.splice(at < 0 ? merged.length : at, 1, ...next)
  }
  return order ? inOrder(merged, { old, order, isSame }) : merged
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
 * Sorts the items in the order of the client. An item that only the server knows stays before its
 * old successor.
 */
function inOrder(items: readonly Json[], { old, order, isSame }: Ordering): Json[] {
  const ordered = order.flatMap((item) => items.filter(isSame(item)))
  const unordered = items.filter((item) => !order.some(isSame(item)))
  const result: Json[] = []
  while (ordered.length > 0 && unordered.length > 0) {
    const [first, other] = [
      old.findIndex(isSame(ordered[0] ?? null)),
      old.findIndex(isSame(unordered[0] ?? null)),
    ]
    const isFirst = first >= 0 && other >= 0 && first < other
    result.push(...(isFirst ? ordered : unordered).splice(0, 1))
  }
  return [...result, ...ordered, ...unordered]
}

/** Removes directives from content that replaces a map. */
const withoutDirectives = (map: JsonMap): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !key.startsWith('$')))
