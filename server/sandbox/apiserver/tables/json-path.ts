import { type Json, isMap } from '../../objects/types.ts'

/**
 * The subset of JSONPath in CRD columns: fields, indexes, and the first item whose field has a
 * value.
 */
const step = /^\.([\w-]+)|^\[(\d+)\]|^\[\?\(@\.([\w.-]+)\s*==\s*['"]([^'"]*)['"]\)\]/

/** Returns the value at the path. Undefined when there is none. */
export function atJsonPath(value: Json | undefined, path: string): Json | undefined {
  if (path === '') return value
  const match = step.exec(path)
  if (!match) return undefined
  const [whole, field, index, testedField, expectedValue] = match
  const rest = path.slice(whole.length)
  if (field !== undefined) return atJsonPath(isMap(value) ? value[field] : undefined, rest)
  const items = Array.isArray(value) ? value : []
  if (index !== undefined) return atJsonPath(items[Number(index)], rest)
  return atJsonPath(
    items.find((item) => String(atJsonPath(item, `.${testedField}`)) === expectedValue),
    rest,
  )
}
