import { Fault } from '../../engine/model/fault.ts'
import { type AddressRange } from '../nic/addresses.ts'
import { vpcNamespace } from '../vpc/vpc.ts'
import { attachmentName } from './network.ts'
import { type NicPurpose } from '../nic/rules.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

const id = '00000000-0000-4000-8000-000000000001'

/**
 * The identity of the public network for clients. Its objects in the cluster are named like those
 * of tenant networks, whose ids are random.
 */
export const publicNetwork = {
  id,
  name: 'public',
  attachmentNamespace: vpcNamespace(id),
  attachmentName: attachmentName(id),
} as const

/** The public network that the operator configured: the addresses for VMs and the route out. */
export interface PublicNetwork {
  cidr: string
  gateway: string
  pool: readonly AddressRange[]
  dns: readonly string[]
}

/** Refuses a request for a public address when no public network is configured. */
export function requirePublicNetwork(
  configured: PublicNetwork | null,
  purpose: NicPurpose,
): PublicNetwork {
  if (configured) return configured
  throw new Fault('feature_disabled', withoutPublicNetwork[purpose])
}

const withoutPublicNetwork: Readonly<Record<NicPurpose, Message>> = {
  new_vm: messageOf('network.no_public'),
  clone: messageOf('network.no_public_of_clone'),
  attachment: messageOf('network.no_public_to_attach'),
}
