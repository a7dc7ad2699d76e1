import { type NetworkDriver } from '../network/driver.ts'
import { type NicWaitReason, type NicWait } from './wait-reasons.ts'
import { type Message } from '../../engine/model/message.ts'

/**
 * The network of a NIC: the cluster network, a private network of the tenant, or the public
 * network.
 */
export const nicKinds = ['pod', 'private', 'public'] as const
export type NicKind = (typeof nicKinds)[number]

/**
 * The state of a NIC. `arriving` and `departing` change while the VM runs; `waiting` and `leaving`
 * change with the next start or stop.
 */
export const nicStates = ['connected', 'arriving', 'departing', 'waiting', 'leaving'] as const
export type NicState = (typeof nicStates)[number]

/** Tells if the guest has the assigned address of a NIC. */
export const guestConfigurations = ['yes', 'no', 'unknown'] as const
export type GuestConfiguration = (typeof guestConfigurations)[number]

/** A NIC as stored in its row. */
export interface NicRow {
  id: string
  vmId: string
  ordinal: number
  kind: NicKind
  mac: string
  /**
   * Fixed for the life of the NIC. Null on the cluster network, whose addresses the cluster
   * assigns.
   */
  address: string | null
  networkId: string | null
  networkName: string | null
  vpcId: string | null
  /** The driver of its network; null until it is chosen, and for networks without a driver. */
  driver: NetworkDriver | null
  /** The block of its network; null for networks without a row. */
  cidr: string | null
  gateway: string | null
  attachmentNamespace: string | null
  attachmentName: string | null
  /** True while a requested detachment is not complete in the guest. */
  isLeaving: boolean
  /** Why the change waits for a start; null when it could be tried at runtime. */
  waitsFor: NicWaitReason | null
}

/** A NIC as its tenant sees it. */
export interface NicView extends Omit<NicRow, 'isLeaving' | 'waitsFor'> {
  name: string
  state: NicState
  /** Why the NIC is not attached or detached yet; null otherwise. */
  waitsFor: NicWait | null
  /** The same reason as text for a user. */
  stateReason: Message | null
  /** The address that the guest agent or the cluster reports; null until then. */
  seenAddress: string | null
  /**
   * Tells if the guest has the assigned address; unknown without a guest agent. Null without an
   * assigned address, and while the guest does not have the NIC.
   */
  configuredInGuest: GuestConfiguration | null
  /** True for the NIC with the default route. */
  isPrimary: boolean
}

/** Names a NIC inside the VM spec; it contains no user input. */
export const nicName = (ordinal: number): string => `nic${ordinal}`
