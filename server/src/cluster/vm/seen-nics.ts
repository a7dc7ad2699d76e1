import { type SeenAddress, type SeenInstance } from '../../domain/vm/seen.ts'
import { listAt, textAt } from '../../engine/kube/field-at.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'

/** The NICs of a run, with those that its spec has and nobody else knows of yet. */
export function seenNics(instance: ApiObject): Pick<SeenInstance, 'addresses' | 'nicsPending'> {
  const told = listAt(instance, 'status', 'interfaces').flatMap(addressIn)
  // Before it runs nobody has told anything.
  if (textAt(instance, 'status', 'phase') !== 'Running')
    return { addresses: told, nicsPending: false }
  const asked = listAt(instance, 'spec', 'domain', 'devices', 'interfaces')
  const untold = asked
    .flatMap(notInGuest)
    .filter(({ name }) => !told.some((each) => each.name === name))
  const addresses = [...told, ...untold]
  const inGuest = new Set(addresses.filter((each) => each.inGuest).map(({ name }) => name))
  return {
    addresses,
    nicsPending: asked.some(
      (nic) => inGuest.has(textAt(nic, 'name') ?? '') === (textAt(nic, 'state') === 'absent'),
    ),
  }
}

/** What the guest has made for itself bears no name of ours. */
function addressIn(nic: unknown): SeenAddress[] {
  const name = textAt(nic, 'name')
  if (name === null) return []
  // Multus tells of the pod; a NIC that only it tells of is not in the guest.
  const inGuest = textAt(nic, 'infoSource') !== 'multus-status'
  return [{ name, ip: textAt(nic, 'ipAddress'), mac: textAt(nic, 'mac'), inGuest }]
}

function notInGuest(nic: unknown): SeenAddress[] {
  const name = textAt(nic, 'name')
  return name === null ? [] : [{ name, ip: null, mac: textAt(nic, 'macAddress'), inGuest: false }]
}
