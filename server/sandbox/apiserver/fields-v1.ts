import { type JsonMap, isMap } from './types.ts'
import { elementsOf, joinPath } from './field-path.ts'

export function toFieldsV1(paths: Iterable<string>): JsonMap {
  const root: JsonMap = {}
  const members = new Set<JsonMap>()
  // In this order a path stands before everything below it.
  for (const path of [...paths].sort()) {
    let node = root
    for (const element of elementsOf(path)) {
      if (members.has(node)) node['.'] = {}
      node = below(node, element)
    }
    members.add(node)
  }
  return root
}

function below(node: JsonMap, element: string): JsonMap {
  const known = node[element]
  if (isMap(known)) return known
  const made: JsonMap = {}
  node[element] = made
  return made
}

export function fromFieldsV1(fields: JsonMap, prefix = ''): Set<string> {
  const paths = new Set<string>()
  for (const [element, child] of Object.entries(fields)) {
    if (element === '.') {
      if (prefix !== '') paths.add(prefix)
      continue
    }
    const path = joinPath(prefix, element)
    if (!isMap(child) || Object.keys(child).length === 0) paths.add(path)
    else for (const below of fromFieldsV1(child, path)) paths.add(below)
  }
  return paths
}

/** The path as people read it in a conflict: `.spec.ports[port=80].name`. */
export function readablePath(path: string): string {
  return elementsOf(path)
    .map((element) => {
      const rest = element.slice(2)
      if (element.startsWith('f:')) return `.${rest}`
      if (element.startsWith('v:')) return `[=${rest}]`
      // Written by listElement from a map of keys.
      const keys = JSON.parse(rest) as JsonMap
      return `[${Object.entries(keys)
        .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
        .join(',')}]`
    })
    .join('')
}
