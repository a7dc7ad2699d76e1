import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionNode } from 'graphql'

const cache = new WeakMap<FieldNode, Selected>()

/** The columns that computed fields and object fields are derived from. */
type DerivedFields = Readonly<Record<string, readonly string[]>>

type FieldNodes = Pick<GraphQLResolveInfo, 'fieldNodes'>
export type Selected = ReadonlySet<string> | null

/**
 * Returns the fields that a query selects of each row of a connection, so that a list reads only
 * those. Returns null, which reads all fields, when fragments or computed fields decide at run
 * time.
 */
export const selectedFields = (info: FieldNodes, derivedFields: DerivedFields = {}): Selected =>
  cached(info, (selections) => {
    const nodes: SelectionNode[] = []
    for (const selection of selections) {
      if (selection.kind !== Kind.FIELD || selection.name.value === 'edges') return null
      if (selection.name.value === 'nodes')
        nodes.push(...(selection.selectionSet?.selections ?? []))
    }
    return fieldsIn(nodes, derivedFields)
  })

/** Returns the selected fields of a query for one row. */
export const selectedFieldsOfOne = (info: FieldNodes, derivedFields: DerivedFields): Selected =>
  cached(info, (selections) => fieldsIn(selections, derivedFields))

function cached(
  { fieldNodes }: FieldNodes,
  compute: (selections: readonly SelectionNode[]) => Selected,
): Selected {
  const [node] = fieldNodes
  if (!node || fieldNodes.length > 1) return null
  const existing = cache.get(node)
  if (existing !== undefined) return existing
  const selected = compute(node.selectionSet?.selections ?? [])
  cache.set(node, selected)
  return selected
}

function fieldsIn(selections: readonly SelectionNode[], derivedFields: DerivedFields): Selected {
  const parts = selections.map((field) => partsOf(field, derivedFields))
  return parts.includes(null) ? null : new Set(parts.flatMap((each) => each ?? []))
}

/** Returns null when the fields cannot be determined. */
function partsOf(field: SelectionNode, derivedFields: DerivedFields): readonly string[] | null {
  if (field.kind !== Kind.FIELD) return null
  const { value: name } = field.name
  return derivedFields[name] ?? (field.selectionSet ? null : [name])
}
