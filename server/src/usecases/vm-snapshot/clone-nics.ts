import { Fault } from '../../engine/model/fault.ts'
import { type InheritedNics, inheritanceRefusal } from '../../domain/nic/inherited-nics.ts'
import { type NicsRequest } from '../../domain/nic/rules.ts'
import { type Identity } from '../../domain/vm-snapshot/identity.ts'
import { type SnapshotNic, nicsForClone } from '../../domain/vm-snapshot/snapshot-nics.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

interface CloneContext {
  snapshot: Awaited<ReturnType<Op['vmSnapshots']['get']>>
  identity: Identity
  request: NicsRequest
}

/**
 * Decides which NICs a clone gets, and which MACs and addresses it takes over from the original if
 * they are free.
 */
export async function cloneNics(
  op: Op,
  { snapshot, identity, request }: CloneContext,
): Promise<{ request: NicsRequest; former: InheritedNics | null }> {
  const wiring = nicsForClone(snapshot, identity, request)
  if (!wiring) return { request, former: null }
  await mustHaveNetworks(op, snapshot.nics ?? [])
  const { macs, addresses } = wiring.inherited
  const claimed = {
    macs: [...macs.values()],
    networkIds: [...addresses.keys()],
    addresses: [...addresses.values()],
  }
  await op.nics.reclaim({ vmId: snapshot.vmId, ...claimed })
  const refusal = inheritanceRefusal(await op.nics.holdersOf(claimed), wiring.inherited)
  if (refusal) throw refusal
  return { request: wiring.request, former: wiring.inherited }
}

async function mustHaveNetworks(op: Op, nics: readonly SnapshotNic[]): Promise<void> {
  const privateNics = nics.filter(({ kind }) => kind === 'private')
  const existingIds = new Set(
    (await op.reads.networks.findAll(privateNics.flatMap(({ networkId }) => networkId ?? []))).map(
      ({ id }) => id,
    ),
  )
  const missing = privateNics.find(({ networkId }) => !existingIds.has(networkId ?? ''))
  if (!missing) return
  const sentence = messageOf('vm_snapshot.network_gone', { network: missing.networkName ?? '' })
  throw new Fault('wrong_state', sentence)
}
