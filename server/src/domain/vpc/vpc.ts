import { type Message } from '../../engine/model/message.ts'

export const netStates = ['creating', 'active', 'deleting', 'failed'] as const
/** Of a VPC or a network, as the cluster shows it. */
export type NetState = (typeof netStates)[number]

/** A VPC as its tenant sees it. */
export interface VpcView {
  id: string
  tenantId: string
  name: string
  cidr: string
  /** Where its networks' attachments are in the cluster. */
  namespace: string
  /** It came with the tenant, and VMs that name no network belong here. */
  isDefault: boolean
  state: NetState
  /** What hinders it, in words. */
  stateReason: Message | null
  version: number
  createdAt: string
  updatedAt: string
}

/**
 * Of a VPC's own, so that nothing in it depends on what people call things; the id is nobody's to
 * choose.
 */
export const vpcNamespace = (id: string): string => `vpc-${id}`
