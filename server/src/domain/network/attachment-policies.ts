import { publicNetwork } from './public-network.ts'

/** What the cluster itself refuses of the networks that VMs name, and what that is called there. */
export const attachmentPolicies = {
  foreignAttachments: 'berth-foreign-attachments',
  unknownAttachments: 'berth-unknown-attachments',
} as const

/**
 * All tenants may be in the public network, whose namespace says this where those of VPCs say their
 * tenant.
 */
export const sharedTenantId = publicNetwork.id
