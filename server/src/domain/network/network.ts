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
  gateway: string
  /** It came with its VPC. */
  isDefault: boolean
  /** Null until it is decided how it is made. */
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

/** Of a network's attachment, and of its subnet where it has one, from its id alone. */
export const attachmentName = (id: string): string => `net-${id}`
