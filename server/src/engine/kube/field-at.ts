/**
 * What stands at a path of an object that came from outside; undefined where the path ends early.
 */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let here = value
  for (const step of path) {
    if (typeof here !== 'object' || here === null) return undefined
    here = Object.entries(here).find(([name]) => name === step)?.[1]
  }
  return here
}

export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = fieldAt(value, ...path)
  return typeof found === 'string' && found !== '' ? found : null
}

export function textsAt(value: unknown, ...path: readonly string[]): string[] {
  const found = fieldAt(value, ...path)
  return Array.isArray(found) ? found.filter((each) => typeof each === 'string') : []
}

export function listAt(value: unknown, ...path: readonly string[]): unknown[] {
  const found = fieldAt(value, ...path)
  return Array.isArray(found) ? found : []
}
