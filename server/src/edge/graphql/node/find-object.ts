import { scopeOf } from '../authorize.ts'
import { batchRead } from '../batch-read.ts'
import { type GraphRequest, type NodeKind, type Reads } from '../context.ts'
import { allNodeKinds, mayRead, nodeKinds } from './node-kinds.ts'

interface FindsAll {
  findAll(ids: readonly string[]): Promise<readonly { id: string }[]>
}

/**
 * The reads of all rows that the viewer may see. Row level security hides the rows of other
 * tenants, even when a row of the viewer's tenant names them.
 */
export const readsOf = ({ berth, viewer }: GraphRequest): Reads =>
  berth.reads(scopeOf(viewer, [], true))

const loaders = new Map(
  allNodeKinds.map((kind) => {
    const load = batchRead(async (request, ids) => {
      const reads: FindsAll = readsOf(request)[nodeKinds[kind].reads]
      return new Map((await reads.findAll(ids)).map((row) => [row.id, row]))
    })
    return [kind, load] as const
  }),
)

/**
 * Returns the object with this id, with one statement for all objects of a kind in an answer. Null
 * when there is none, when it belongs to another tenant, and when the viewer may not read its kind.
 */
export async function findObject(
  request: GraphRequest,
  kind: NodeKind,
  id: string | null,
): Promise<object | null> {
  if (id === null || !mayRead(request.viewer, kind)) return null
  return (await loaders.get(kind)?.(request, id)) ?? null
}

/** Returns the objects with these ids that the viewer may read, in the order of the ids. */
export async function findObjects(
  request: GraphRequest,
  kind: NodeKind,
  ids: Iterable<string | null>,
): Promise<object[]> {
  const found = await Promise.all([...ids].map((id) => findObject(request, kind, id)))
  return found.filter((object) => object !== null)
}

/** Like `findObject`, for a field whose type is `Node`. */
export async function findNode(
  request: GraphRequest,
  kind: NodeKind,
  id: string | null,
): Promise<object | null> {
  const found = await findObject(request, kind, id)
  return found && { ...found, __typename: nodeKinds[kind].type.name }
}
