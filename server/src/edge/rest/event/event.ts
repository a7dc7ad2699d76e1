import { type Executable } from '../../../engine/graphql/execute.ts'
import { type DocumentResult } from '../../../engine/rest/route.ts'
import { type VmRow, vm } from '../vm/vm-shape.ts'

/** The identity and version of a changed object, and nothing more. */
export interface Changed {
  kind: string
  objectId: string
  tenantId: string | null
  version: number
  isCreation: boolean
}

export interface WireEvent {
  type: string
  payload: object
}

type Run = (executable: Executable, variables: Record<string, unknown>) => Promise<DocumentResult>

/** The subscription that events are read from. */
export const eventsDocument =
  'subscription ListenToEvents($after: String) { changes(after: $after) { cursor } }'

const present = `query EventVm($id: ID!) { vm(id: $id) { ${vm.selection} } }`
/** Reads the name of a deleted VM from its delete operation, because the row is hidden. */
const gone = `query EventVmGone($id: ID!) { operations(first: 1, filter: { targetId: $id, kind: "delete_vm" }) { nodes { targetName } } }`

/**
 * Converts a change into a REST event. Events of VMs contain the whole VM as the listener may see
 * it. Other events contain only the identity, and the client reads the object. Null means that
 * there is no event.
 */
export function eventsOn(
  compile: (text: string) => Executable,
): (change: Changed, run: Run) => Promise<WireEvent | null> {
  const documents = { present: compile(present), gone: compile(gone) }
  const ofVm = async (
    { objectId: id, tenantId, isCreation }: Changed,
    run: Run,
  ): Promise<WireEvent | null> => {
    // The document selects exactly these fields.
    const row = ((await run(documents.present, { id })) as { vm: VmRow | null }).vm
    if (row) return { type: isCreation ? 'vm.created' : 'vm.updated', payload: vm.toWire(row) }
    // The document selects exactly this field.
    const { operations } = (await run(documents.gone, { id })) as {
      operations: { nodes: { targetName: string }[] }
    }
    const [ended] = operations.nodes
    return ended
      ? { type: 'vm.deleted', payload: { tenant_id: tenantId, name: ended.targetName } }
      : null
  }
  return (change, run) => {
    const { kind, objectId: id, tenantId: tenant_id, version } = change
    return kind === 'vm'
      ? ofVm(change, run)
      : Promise.resolve({ type: `${kind}.changed`, payload: { id, tenant_id, version } })
  }
}

/** Older changes are no longer stored, so the client must read everything again. */
export const gapEvent: WireEvent = { type: 'gap', payload: {} }
