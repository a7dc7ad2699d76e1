import { type NetState } from '../vpc/vpc.ts'
import { type NetworkDriver } from './driver.ts'
import { type Message } from '../../engine/model/message.ts'

/** A private network as its tenant sees it. */
export interface NetworkView {
  id: string
  tenantId: string
  vpcId: string
  name: string
  cidr: string
  /** The CIDR as the client wrote it, possibly with host bits. */
  requestedCidr: string
  gateway: string
  /** True for the network that was created with its VPC. */
  isDefault: boolean
  /** The driver; null until it is chosen. */
  driver: NetworkDriver | null
  mtu: number | null
  attachmentNamespace: string
  attachmentName: string
  state: NetState
  stateReason: Message | null
  version: number
  createdAt: string
  updatedAt: string
}

/** Names the attachment of a network, and its subnet if any, after the network's id. */
export const attachmentName = (id: string): string => `net-${id}`
