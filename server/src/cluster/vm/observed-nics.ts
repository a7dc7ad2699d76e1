import { type ObservedAddress, type ObservedVmi } from '../../domain/vm/observed.ts'
import { listAt, textAt, textsAt } from '../../engine/kube/field-at.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'

/** Returns the NICs of a VMI, including those that only its spec lists so far. */
export function observedNics(instance: ApiObject): Pick<ObservedVmi, 'addresses' | 'nicsPending'> {
  const reported = listAt(instance, 'status', 'interfaces').flatMap(addressIn)
  // No NIC is reported before the VMI runs, so none is pending.
  if (textAt(instance, 'status', 'phase') !== 'Running')
    return { addresses: reported, nicsPending: false }
  const desired = listAt(instance, 'spec', 'domain', 'devices', 'interfaces')
  const unreported = desired
    .flatMap(notInGuest)
    .filter(({ name }) => !reported.some((each) => each.name === name))
  const addresses = [...reported, ...unreported]
  const inGuest = new Set(addresses.filter((each) => each.inGuest).map(({ name }) => name))
  return {
    addresses,
    nicsPending: desired.some(
      (nic) => inGuest.has(textAt(nic, 'name') ?? '') === (textAt(nic, 'state') === 'absent'),
    ),
  }
}

/** Skips interfaces that the guest created itself: they have no name. */
function addressIn(nic: unknown): ObservedAddress[] {
  const name = textAt(nic, 'name')
  if (name === null) return []
  const source = textAt(nic, 'infoSource')
  const hasAgent = source?.split(', ').includes('guest-agent') === true
  return [
    {
      name,
      ip: textAt(nic, 'ipAddress'),
      mac: textAt(nic, 'mac'),
      // Multus reports the interfaces of the pod. A NIC that only Multus reports is not in the
      // guest.
      inGuest: source !== 'multus-status',
      ...(hasAgent ? { agentIps: textsAt(nic, 'ipAddresses') } : {}),
    },
  ]
}

function notInGuest(nic: unknown): ObservedAddress[] {
  const name = textAt(nic, 'name')
  return name === null ? [] : [{ name, ip: null, mac: textAt(nic, 'macAddress'), inGuest: false }]
}
