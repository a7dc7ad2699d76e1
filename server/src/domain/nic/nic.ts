import { type NetworkDriver } from '../network/driver.ts'
import { type ColdReason, type NicWait } from './cold.ts'
import { type Message } from '../../engine/model/message.ts'

/** On the cluster's own network, on one of the tenant's, or on the public one. */
export const nicKinds = ['pod', 'private', 'public'] as const
export type NicKind = (typeof nicKinds)[number]

/**
 * What a running guest has, what is on its way into it or out of it, what comes with its next
 * start, and what goes with the end of this run.
 */
export const nicStates = ['connected', 'arriving', 'departing', 'waiting', 'leaving'] as const
export type NicState = (typeof nicStates)[number]

/** As its row says. */
export interface NicRow {
  id: string
  vmId: string
  ordinal: number
  kind: NicKind
  mac: string
  /** The same for life; null on the cluster's own network, whose addresses are not ours to give. */
  address: string | null
  networkId: string | null
  networkName: string | null
  vpcId: string | null
  /** How its network is made; null where that is not decided, or not ours to decide. */
  driver: NetworkDriver | null
  /** Of its network; null where that has no row. */
  cidr: string | null
  gateway: string | null
  attachmentNamespace: string | null
  attachmentName: string | null
  /** It is to be taken out, and the guest has not let go of it. */
  isLeaving: boolean
  /** What it comes or goes with a start for; null where nothing was in the way. */
  waitsFor: ColdReason | null
}

/** A NIC as its tenant sees it. */
export interface NicView extends Omit<NicRow, 'isLeaving' | 'waitsFor'> {
  name: string
  state: NicState
  /** Why it is not in the guest yet, or not gone from it; null where that is no question. */
  waitsFor: NicWait | null
  /** The same in words for a user. */
  stateReason: Message | null
  /** As the guest or the cluster says; null while nobody does. */
  seenAddress: string | null
  /** By this one the guest reaches what is in none of its networks. */
  isPrimary: boolean
}

/** What a machine calls its NIC; nothing that anybody typed. */
export const nicName = (ordinal: number): string => `nic${ordinal}`
