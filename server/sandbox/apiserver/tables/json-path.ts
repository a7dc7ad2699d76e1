import { type Json, isMap } from '../../objects/types.ts'

/**
 * The simple paths that CRDs give their columns: fields, indexes, and the first item of a list
 * whose field has a value.
 */
const step = /^\.([\w-]+)|^\[(\d+)\]|^\[\?\(@\.([\w.-]+)\s*==\s*['"]([^'"]*)['"]\)\]/

/** What is at the path; undefined when nothing is. */
export function atJsonPath(value: Json | undefined, path: string): Json | undefined {
  if (path === '') return value
  const match = step.exec(path)
  if (!match) return undefined
  const [whole, field, index, tested, wanted] = match
  const rest = path.slice(whole.length)
  if (field !== undefined) return atJsonPath(isMap(value) ? value[field] : undefined, rest)
  const items = Array.isArray(value) ? value : []
  if (index !== undefined) return atJsonPath(items[Number(index)], rest)
  return atJsonPath(
    items.find((item) => String(atJsonPath(item, `.${tested}`)) === wanted),
    rest,
  )
}
