import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionNode } from 'graphql'

const known = new WeakMap<FieldNode, ReadonlySet<string> | null>()

/**
 * The fields that a query selects of each row of a connection, so that a list reads only what it shows. Null when that
 * is not plain to see (fragments, computed fields decide at run time): then everything is read.
 */
export function selectedOf({ fieldNodes }: Pick<GraphQLResolveInfo, 'fieldNodes'>): ReadonlySet<string> | null {
  const [node] = fieldNodes
  if (!node || fieldNodes.length > 1) return null
  const found = known.get(node)
  if (found !== undefined) return found
  const selected = rowFields(node.selectionSet?.selections ?? [])
  known.set(node, selected)
  return selected
}

function rowFields(selections: readonly SelectionNode[]): ReadonlySet<string> | null {
  const names = new Set<string>()
  for (const selection of selections) {
    if (selection.kind !== Kind.FIELD || selection.name.value === 'edges') return null
    if (selection.name.value !== 'nodes') continue
    for (const field of selection.selectionSet?.selections ?? []) {
      if (field.kind !== Kind.FIELD || field.selectionSet) return null
      names.add(field.name.value)
    }
  }
  return names
}
