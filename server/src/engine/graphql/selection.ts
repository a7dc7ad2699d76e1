import { type FieldNode, type GraphQLResolveInfo, Kind, type SelectionNode } from 'graphql'

const known = new WeakMap<FieldNode, Selected>()

/** What computed fields, and fields with fields of their own, are made from. */
type MadeFrom = Readonly<Record<string, readonly string[]>>

type Asked = Pick<GraphQLResolveInfo, 'fieldNodes'>
export type Selected = ReadonlySet<string> | null

/**
 * The fields that a query selects of each row of a connection, so that a list reads only what it
 * shows. Null when that is not plain to see (fragments, computed fields decide at run time): then
 * everything is read.
 */
export const selectedOf = (asked: Asked, madeFrom: MadeFrom = {}): Selected =>
  remembered(asked, (selections) => {
    const nodes: SelectionNode[] = []
    for (const selection of selections) {
      if (selection.kind !== Kind.FIELD || selection.name.value === 'edges') return null
      if (selection.name.value === 'nodes')
        nodes.push(...(selection.selectionSet?.selections ?? []))
    }
    return fieldsIn(nodes, madeFrom)
  })

/** The same of a query for one row. */
export const selectedOfOne = (asked: Asked, madeFrom: MadeFrom): Selected =>
  remembered(asked, (selections) => fieldsIn(selections, madeFrom))

function remembered(
  { fieldNodes }: Asked,
  work: (selections: readonly SelectionNode[]) => Selected,
): Selected {
  const [node] = fieldNodes
  if (!node || fieldNodes.length > 1) return null
  const found = known.get(node)
  if (found !== undefined) return found
  const selected = work(node.selectionSet?.selections ?? [])
  known.set(node, selected)
  return selected
}

function fieldsIn(selections: readonly SelectionNode[], madeFrom: MadeFrom): Selected {
  const parts = selections.map((field) => partsOf(field, madeFrom))
  return parts.includes(null) ? null : new Set(parts.flatMap((each) => each ?? []))
}

/** Null where it is not plain to see. */
function partsOf(field: SelectionNode, madeFrom: MadeFrom): readonly string[] | null {
  if (field.kind !== Kind.FIELD) return null
  const { value: name } = field.name
  return madeFrom[name] ?? (field.selectionSet ? null : [name])
}
