import { Fault, notFound } from '../../engine/model/fault.ts'
import { type NicRow, type NicView } from './nic.ts'
import { mostNetworks } from './rules.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

type Nic = Pick<NicRow, 'ordinal' | 'networkId' | 'isLeaving'>

/**
 * Where another NIC of the machine goes; refused where it has one in the network already, or no
 * room.
 */
export function nextOrdinal(nics: readonly Nic[], networkId: string): number {
  const there = nics.find((nic) => nic.networkId === networkId)
  if (there?.isLeaving) throw new Fault('wrong_state', messageOf('nic.network_held'))
  if (there) throw new Fault('already_exists', messageOf('nic.network_twice'))
  if (nics.filter((nic) => nic.networkId !== null).length >= mostNetworks)
    throw new Fault('wrong_state', messageOf('nic.most_networks', { most: mostNetworks }))
  const taken = new Set(nics.map(({ ordinal }) => ordinal))
  return nics.map((_, index) => index + 1).find((ordinal) => !taken.has(ordinal)) ?? 0
}

const keepsOne = messageOf('nic.last')

const goes = ({ state }: Pick<NicView, 'state'>): boolean =>
  state === 'leaving' || state === 'departing'

/** Why the NIC cannot be taken out, in words for a user; null where it can. */
export function detachRefusal(
  nics: readonly Pick<NicView, 'id' | 'state'>[],
  nic: Pick<NicView, 'id' | 'state' | 'networkId'>,
): Message | null {
  if (nic.networkId === null) return messageOf('nic.platform_network')
  if (goes(nic)) return messageOf('nic.leaving')
  return nics.some((other) => other.id !== nic.id && !goes(other)) ? null : keepsOne
}

/** The NIC that leaves the network; the last one stays. */
export function leavingNic<Some extends Nic>(nics: readonly Some[], networkId: string): Some {
  const nic = nics.find((each) => each.networkId === networkId)
  if (!nic) throw notFound('network', networkId)
  if (!nics.some((other) => other !== nic && !other.isLeaving))
    throw new Fault('wrong_state', keepsOne)
  return nic
}
