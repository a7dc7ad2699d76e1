import { publicNetwork } from '../network/public-network.ts'
import { type ObservedAddress } from '../vm/observed.ts'
import { type NicWait } from './wait-reasons.ts'
import {
  type GuestConfiguration,
  type NicRow,
  type NicState,
  type NicView,
  nicName,
} from './nic.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** Returns the NIC with the default route. A second default route would break replies. */
export const primaryOf = <Some extends Pick<NicRow, 'kind'>>(
  nics: readonly Some[],
): Some | undefined => nics.find(({ kind }) => kind === 'public') ?? nics[0]

/** Completes a NIC on the public network, which has no row, with the network's names. */
export const withNetworkNames = <Some extends NicRow>(nic: Some): Some => {
  if (nic.kind !== 'public') return nic
  const { name: networkName, attachmentNamespace, attachmentName } = publicNetwork
  return { ...nic, networkName, attachmentNamespace, attachmentName }
}

interface ObservedNics {
  /** The NICs of the VMI; null while the VM does not run. */
  observed: readonly ObservedAddress[] | null
  /** True while changes are still tried at runtime. */
  isLive: boolean
}

/** Combines the NIC rows of a VM with their observed state. */
export function nicsFrom(rows: readonly NicRow[], { observed, isLive }: ObservedNics): NicView[] {
  const primary = primaryOf(rows)
  return rows.map((row) => {
    const { isLeaving, waitsFor: rowReason, ...nic } = withNetworkNames(row)
    const name = nicName(row.ordinal)
    const match = observed?.find((each) => each.name === name)
    const isInGuest = match?.inGuest ?? false
    const state = stateOf({ isLeaving, isInGuest, isLive: isLive && rowReason === null })
    const waitsFor = waitOf(state, { match, rowReason, isRunning: Boolean(observed?.length) })
    const stateReason = waitsFor && reasonOf(state, waitsFor)
    // Each object is created once, because lists contain thousands.
    return {
      ...nic,
      name,
      state,
      isPrimary: row === primary,
      waitsFor,
      stateReason,
      seenAddress: match?.ip ?? null,
      configuredInGuest: isInGuest ? configurationOf(row, match) : null,
    }
  })
}

function configurationOf(
  { address }: Pick<NicRow, 'address'>,
  match: ObservedAddress | undefined,
): GuestConfiguration | null {
  if (address === null) return null
  if (!match?.agentIps) return 'unknown'
  return match.agentIps.includes(address) ? 'yes' : 'no'
}

interface NicPresence {
  isLeaving: boolean
  isInGuest: boolean
  isLive: boolean
}

function stateOf({ isLeaving, isInGuest, isLive }: NicPresence): NicState {
  if (isLeaving) return isInGuest && isLive ? 'departing' : 'leaving'
  if (isInGuest) return 'connected'
  return isLive ? 'arriving' : 'waiting'
}

interface NicWaitContext {
  /** The NIC of the VMI; absent when the VMI does not have it. */
  match: ObservedAddress | undefined
  rowReason: NicRow['waitsFor']
  isRunning: boolean
}

function waitOf(state: NicState, { match, rowReason, isRunning }: NicWaitContext): NicWait | null {
  if (state === 'leaving') {
    if (match && !match.inGuest) return 'clearing'
    return rowReason ?? (match ? 'not_in_time' : null)
  }
  // The cluster may not even have begun to give the NIC to the running VM.
  return state === 'waiting' ? (rowReason ?? (isRunning ? 'not_in_time' : null)) : null
}

function reasonOf(state: NicState, wait: NicWait): Message {
  if (wait === 'clearing') return messageOf('nic.clearing')
  const why = messageOf(`nic.because.${wait}`)
  return messageOf(state === 'waiting' ? 'nic.waits' : 'nic.leaves', { why })
}
