/** Returns the value at a path of an untrusted object; undefined when the path does not exist. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let current = value
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined
    current = Object.entries(current).find(([name]) => name === key)?.[1]
  }
  return current
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
