import { publicNetwork } from '../network/public-network.ts'
import { type SeenAddress } from '../vm/seen.ts'
import { type NicWait } from './cold.ts'
import { type NicRow, type NicState, type NicView, nicName } from './nic.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** Its guest leaves its networks by this one: two ways out would be one too many. */
export const primaryOf = <Some extends Pick<NicRow, 'kind'>>(
  nics: readonly Some[],
): Some | undefined => nics.find(({ kind }) => kind === 'public') ?? nics[0]

/** With what the public network, which has no row, is called. */
export const named = <Some extends NicRow>(nic: Some): Some => {
  if (nic.kind !== 'public') return nic
  const { name: networkName, attachmentNamespace, attachmentName } = publicNetwork
  return { ...nic, networkName, attachmentNamespace, attachmentName }
}

interface SeenNics {
  /** Null while nothing runs. */
  seen: readonly SeenAddress[] | null
  /** What was asked of NICs is still tried while the guest runs. */
  isLive: boolean
}

/** What is known of the NICs of a machine, with what was seen of them. */
export function nicsFrom(rows: readonly NicRow[], { seen, isLive }: SeenNics): NicView[] {
  const primary = primaryOf(rows)
  return rows.map((row) => {
    const { isLeaving, waitsFor: askedOf, ...nic } = named(row)
    const name = nicName(row.ordinal)
    const found = seen?.find((each) => each.name === name)
    const isThere = found?.inGuest ?? false
    const isKnown = found !== undefined
    const state = stateOf({ isLeaving, isThere, isLive: isLive && askedOf === null })
    const waitsFor = waitOf(state, { isThere, isKnown, askedOf })
    const stateReason = waitsFor && reasonOf(state, waitsFor)
    // One copy of each: lists have thousands of them.
    return {
      ...nic,
      name,
      state,
      isPrimary: row === primary,
      waitsFor,
      stateReason,
      seenAddress: found?.ip ?? null,
    }
  })
}

interface NicPlace {
  isLeaving: boolean
  isThere: boolean
  isLive: boolean
}

function stateOf({ isLeaving, isThere, isLive }: NicPlace): NicState {
  if (isLeaving) return isThere && isLive ? 'departing' : 'leaving'
  if (isThere) return 'connected'
  return isLive ? 'arriving' : 'waiting'
}

function waitOf(
  state: NicState,
  {
    isThere,
    isKnown,
    askedOf,
  }: { isThere: boolean; isKnown: boolean; askedOf: NicRow['waitsFor'] },
): NicWait | null {
  if (state !== 'waiting' && state !== 'leaving') return null
  if (state === 'leaving' && !isThere && isKnown) return 'clearing'
  return askedOf ?? (isKnown ? 'not_in_time' : null)
}

function reasonOf(state: NicState, wait: NicWait): Message {
  if (wait === 'clearing') return messageOf('nic.clearing')
  const why = messageOf(`nic.because.${wait}`)
  return messageOf(state === 'waiting' ? 'nic.waits' : 'nic.leaves', { why })
}
