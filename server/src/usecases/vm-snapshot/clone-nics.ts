import { Fault } from '../../engine/model/fault.ts'
import {
  type InheritedNics,
  type NicHolder,
  addressTakenFault,
} from '../../domain/nic/inherited-nics.ts'
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
  const [holder] = await op.nics.holdersOf(claimed)
  if (holder) throw refusalFor(holder, wiring.inherited)
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

function refusalFor(holder: NicHolder, { macs }: InheritedNics): Fault {
  const isMac = [...macs.values()].includes(holder.mac)
  return addressTakenFault(
    isMac
      ? messageOf('nic.what.mac', { mac: holder.mac })
      : messageOf('nic.what.address_alone', { address: holder.address ?? '' }),
    isMac ? 'mac' : 'ip',
    holder,
  )
}
