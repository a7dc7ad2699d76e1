import { Fault } from '../../engine/model/fault.ts'
import { type AddressRange } from '../nic/addresses.ts'
import { vpcNamespace } from '../vpc/vpc.ts'
import { attachmentName } from './network.ts'
import { messageOf } from '../../engine/model/message.ts'

const id = '00000000-0000-4000-8000-000000000001'

/**
 * What clients know the public network by. In the cluster it is called as networks of tenants are,
 * whose ids are random.
 */
export const publicNetwork = {
  id,
  name: 'public',
  attachmentNamespace: vpcNamespace(id),
  attachmentName: attachmentName(id),
} as const

/** What an operator has set up: which addresses VMs get, and how they get out. */
export interface PublicNetwork {
  cidr: string
  gateway: string
  pool: readonly AddressRange[]
  dns: readonly string[]
}

/** Refuses a public address where there are none. */
export function requirePublicNetwork(configured: PublicNetwork | null): PublicNetwork {
  if (configured) return configured
  throw new Fault('feature_disabled', messageOf('network.no_public'))
}
