import { type JsonMap, isMap } from './types.ts'
import { elementsOf, joinPath, separator } from './field-path.ts'

export function toFieldsV1(paths: Iterable<string>): JsonMap {
  const root: JsonMap = {}
  const members = [...paths].sort()
  const all = new Set(members)
  for (const path of members) {
    let node = root
    for (const element of elementsOf(path)) node = below(node, element)
  }
  for (const path of members) if (hasChild(path, all)) markMember(root, path)
  return root
}

function below(node: JsonMap, element: string): JsonMap {
  const known = node[element]
  if (isMap(known)) return known
  const made: JsonMap = {}
  node[element] = made
  return made
}

const hasChild = (path: string, all: ReadonlySet<string>): boolean => {
  for (const other of all) if (other.startsWith(path + separator)) return true
  return false
}

function markMember(root: JsonMap, path: string): void {
  let node = root
  for (const element of elementsOf(path)) node = below(node, element)
  node['.'] = {}
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
