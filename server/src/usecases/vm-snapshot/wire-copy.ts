import { Fault } from '../../engine/model/fault.ts'
import { type FormerNics, type NicHolder, takenFault } from '../../domain/nic/former-nics.ts'
import { type AskedNics } from '../../domain/nic/rules.ts'
import { type Identity } from '../../domain/vm-snapshot/identity.ts'
import { type KeptNic, wiringFor } from '../../domain/vm-snapshot/kept-nics.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

interface Copying {
  snapshot: Awaited<ReturnType<Op['vmSnapshots']['get']>>
  identity: Identity
  asked: AskedNics
}

/**
 * Which NICs a copy gets, and what of them is as it was: its original's, where nobody has that now.
 */
export async function wireCopy(
  op: Op,
  { snapshot, identity, asked }: Copying,
): Promise<{ asked: AskedNics; former: FormerNics | null }> {
  const wiring = wiringFor(snapshot, identity, asked)
  if (!wiring) return { asked, former: null }
  await mustHaveNetworks(op, snapshot.nics ?? [])
  const { macs, addresses } = wiring.former
  const places = {
    macs: [...macs.values()],
    networkIds: [...addresses.keys()],
    addresses: [...addresses.values()],
  }
  await op.nics.takeBack({ vmId: snapshot.vmId, ...places })
  const [holder] = await op.nics.holdersOf(places)
  if (holder) throw refusalFor(holder, wiring.former)
  return wiring
}

async function mustHaveNetworks(op: Op, nics: readonly KeptNic[]): Promise<void> {
  const wanted = nics.filter(({ kind }) => kind === 'private')
  const there = new Set(
    (await op.reads.networks.findAll(wanted.flatMap(({ networkId }) => networkId ?? []))).map(
      ({ id }) => id,
    ),
  )
  const missing = wanted.find(({ networkId }) => !there.has(networkId ?? ''))
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
