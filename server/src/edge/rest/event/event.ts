import { type Executable } from '../../../engine/graphql/execute.ts'
import { type Answer } from '../../../engine/rest/route.ts'
import { type VmRow, vm } from '../vm/vm-shape.ts'

/** What has changed: an identity and nothing more. */
export interface Changed {
  kind: string
  objectId: string
  tenantId: string | null
  version: number
}

export interface WireEvent {
  type: string
  payload: object
}

type Run = (executable: Executable, variables: Record<string, unknown>) => Promise<Answer>

/** Where a listener hears from. */
export const eventsDocument =
  'subscription ListenToEvents($after: String) { changes(after: $after) { cursor } }'

const present = `query EventVm($id: ID!) { vm(id: $id) { ${vm.selection} } }`
/** Its row shows nothing any more, and the promise of its end still knows its name. */
const gone = `query EventVmGone($id: ID!) { operations(first: 1, filter: { targetId: $id, kind: "delete_vm" }) { nodes { targetName } } }`

/**
 * How a change is told on this wire. Older clients know events of VMs, which have the whole VM in
 * them as the listener may see it; of everything else the identity is told, to be read again. Null
 * where there is nothing to tell.
 */
export function eventsOn(
  compile: (text: string) => Executable,
): (change: Changed, run: Run) => Promise<WireEvent | null> {
  const documents = { present: compile(present), gone: compile(gone) }
  const ofVm = async (
    { objectId: id, tenantId, version }: Changed,
    run: Run,
  ): Promise<WireEvent | null> => {
    // The document has just these fields.
    const row = ((await run(documents.present, { id })) as { vm: VmRow | null }).vm
    if (row) return { type: version === 1 ? 'vm.created' : 'vm.updated', payload: vm.wire(row) }
    // So has this.
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

/** Older changes are no longer kept: everything must be read again. */
export const gapEvent: WireEvent = { type: 'gap', payload: {} }
