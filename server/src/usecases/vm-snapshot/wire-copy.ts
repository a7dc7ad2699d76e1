import { Fault } from '../../engine/model/fault.ts'
import { type FormerNics, type NicHolder, takenFault } from '../../domain/nic/former-nics.ts'
import { type AskedNics } from '../../domain/nic/rules.ts'
import { type Identity } from '../../domain/vm-snapshot/identity.ts'
import { type KeptNic, wiringFor } from '../../domain/vm-snapshot/kept-nics.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

interface CloneContext {
  snapshot: Awaited<ReturnType<Op['vmSnapshots']['get']>>
  identity: Identity
  request: AskedNics
}

/**
 * Decides which NICs a clone gets, and which MACs and addresses it takes over from the original if
 * they are free.
 */
export async function wireCopy(
  op: Op,
  { snapshot, identity, request }: CloneContext,
): Promise<{ request: AskedNics; former: FormerNics | null }> {
  const wiring = wiringFor(snapshot, identity, request)
  if (!wiring) return { request, former: null }
  await mustHaveNetworks(op, snapshot.nics ?? [])
  const { macs, addresses } = wiring.former
  const claimed = {
    macs: [...macs.values()],
    networkIds: [...addresses.keys()],
    addresses: [...addresses.values()],
  }
  await op.nics.takeBack({ vmId: snapshot.vmId, ...claimed })
  const [holder] = await op.nics.holdersOf(claimed)
  if (holder) throw refusalFor(holder, wiring.former)
  return { request: wiring.asked, former: wiring.former }
}

async function mustHaveNetworks(op: Op, nics: readonly KeptNic[]): Promise<void> {
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

function refusalFor(holder: NicHolder, { macs }: FormerNics): Fault {
  const isMac = [...macs.values()].includes(holder.mac)
  return takenFault(
    isMac
      ? messageOf('nic.what.mac', { mac: holder.mac })
      : messageOf('nic.what.address_alone', { address: holder.address ?? '' }),
    isMac ? 'mac' : 'ip',
    holder,
  )
}
