import { Fault } from '../../engine/model/fault.ts'
import { type NicRow, type NicView } from './nic.ts'
import { maxNetworks } from './rules.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

type Nic = Pick<NicRow, 'ordinal' | 'networkId' | 'isLeaving' | 'kind'>

interface JoinedNetwork {
  id: string
  name: string
  isPublic: boolean
}

/**
 * Returns the ordinal of a new NIC. Refuses a network that the VM is in already, and more networks
 * than the limit.
 */
export function nextOrdinal(nics: readonly Nic[], network: JoinedNetwork): number {
  const present = nics.find((nic) => nic.networkId === network.id)
  if (present?.isLeaving)
    throw new Fault('wrong_state', messageOf('nic.network_held', { network: network.name }))
  if (present) throw new Fault('already_exists', messageOf('nic.network_twice'))
  // The public network does not count, as in the request for a new VM.
  const isFull = nics.filter(({ kind }) => kind === 'private').length >= maxNetworks
  if (isFull && !network.isPublic)
    throw new Fault('wrong_state', messageOf('nic.most_networks', { most: maxNetworks }))
  const usedOrdinals = new Set(nics.map(({ ordinal }) => ordinal))
  return nics.map((_, index) => index + 1).find((ordinal) => !usedOrdinals.has(ordinal)) ?? 0
}

const lastNicMessage = messageOf('nic.last')

const isGoing = ({ state }: Pick<NicView, 'state'>): boolean =>
  state === 'leaving' || state === 'departing'

/** Returns why the NIC cannot be detached, or null when it can. */
export function detachRefusal(
  nics: readonly Pick<NicView, 'id' | 'state'>[],
  nic: Pick<NicView, 'id' | 'state' | 'networkId'>,
): Message | null {
  if (nic.networkId === null) return messageOf('nic.platform_network')
  if (isGoing(nic)) return messageOf('nic.leaving')
  return nics.some((other) => other.id !== nic.id && !isGoing(other)) ? null : lastNicMessage
}

/** Returns the NIC of the network that is detached. Refuses to detach the last NIC. */
export function leavingNic<Some extends Nic>(
  { name: vm, nics }: { name: string; nics: readonly Some[] },
  network: string,
): Some {
  const nic = nics.find((each) => each.networkId === network)
  if (!nic) throw new Fault('not_found', messageOf('nic.not_in_network', { vm, network }))
  if (!nics.some((other) => other !== nic && !other.isLeaving))
    throw new Fault('wrong_state', lastNicMessage)
  return nic
}
