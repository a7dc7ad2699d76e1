import { publicNetwork } from './public-network.ts'

/** Names of the admission policies that check which attachments VMs refer to. */
export const attachmentPolicies = {
  foreignAttachments: 'berth-foreign-attachments',
  unknownAttachments: 'berth-unknown-attachments',
} as const

/**
 * The tenant label of the public network's namespace. All tenants may use it, whereas the namespace
 * of a VPC has the id of its tenant.
 */
export const sharedTenantId = publicNetwork.id
