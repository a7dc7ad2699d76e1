import { type Message } from '../../engine/model/message.ts'

export const netStates = ['creating', 'active', 'deleting', 'failed'] as const
/** The state of a VPC or network, as observed in the cluster. */
export type NetState = (typeof netStates)[number]

/** A VPC as its tenant sees it. */
export interface VpcView {
  id: string
  tenantId: string
  name: string
  cidr: string
  /** The CIDR as the client wrote it, possibly with host bits. */
  requestedCidr: string
  /** The namespace of its networks' attachments. */
  namespace: string
  /**
   * True for the VPC that was created with the tenant. VMs without a named network belong to it.
   */
  isDefault: boolean
  state: NetState
  /** Describes the obstacle, if any. */
  stateReason: Message | null
  version: number
  createdAt: string
  updatedAt: string
}

/**
 * Names the namespace of a VPC after its id, so that user-chosen names never reach the cluster.
 * Clients cannot choose the id.
 */
export const vpcNamespace = (id: string): string => `vpc-${id}`
