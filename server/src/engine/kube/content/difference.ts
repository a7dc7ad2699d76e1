import { fieldAt, listAt, textAt } from '../field-at.ts'
import { numberFrom } from './quantity.ts'

/**
 * Lists the paths at which an object differs from the desired content. The object may have more
 * fields, because the cluster fills in its defaults. Items of a list are compared by their names,
 * and an additional item is a difference.
 */
export function differingPaths(desired: unknown, found: unknown, path: string): string[] {
  if (Array.isArray(desired)) return differingItems(desired, found, path)
  if (typeof desired !== 'object' || desired === null)
    return isSameValue(desired, found) ? [] : [path]
  if (typeof found !== 'object' || found === null) return [path]
  return Object.entries(desired).flatMap(([name, field]) =>
    differingPaths(field, fieldAt(found, name), `${path}.${name}`),
  )
}

function differingItems(desired: readonly unknown[], found: unknown, path: string): string[] {
  const missingOrChanged = desired.flatMap((item) => {
    const name = textAt(item, 'name')
    const same = listAt(found).find((each) => textAt(each, 'name') === name)
    return differingPaths(item, same, `${path}[${name}]`)
  })
  return [...missingOrChanged, ...foreignNames(desired, found).map((name) => `${path}[${name}]`)]
}

/** Returns the names of the items that only the found list has. */
export function foreignNames(desired: readonly unknown[], found: unknown): string[] {
  const known = desired.map((item) => textAt(item, 'name'))
  return listAt(found).flatMap((item) => {
    const name = textAt(item, 'name')
    return name === null || known.includes(name) ? [] : [name]
  })
}

/** A quantity has many spellings: `2Gi` is `2048Mi`. */
function isSameValue(desired: unknown, found: unknown): boolean {
  if (desired === found) return true
  if (typeof desired !== 'string' || typeof found !== 'string') return false
  const value = numberFrom(desired)
  return value !== null && value === numberFrom(found)
}
