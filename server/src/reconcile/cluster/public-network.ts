import { type NamespaceWriter, type ObjectWriter } from '../../cluster/writer.ts'
import { publicNetwork } from '../../domain/network/public-network.ts'

type PublicNetworkWriter = NamespaceWriter & Pick<ObjectWriter, 'applyObject'>

interface MadeOf {
  /** On every node that VMs run on, with the way out in it. */
  bridge: string
  mtu: number
}

/** It is nobody's: its own id stands where a tenant's would. */
const owner = { tenantId: publicNetwork.id, rowId: publicNetwork.id, uid: null } as const

/**
 * Makes and corrects the attachment that all tenants' VMs share, in a place of the platform's own.
 */
export async function putPublicNetwork(
  writer: PublicNetworkWriter,
  { bridge, mtu }: MadeOf,
): Promise<void> {
  const { attachmentNamespace: namespace, attachmentName: name } = publicNetwork
  await writer.applyNamespace({ name: namespace, ...owner })
  await writer.applyObject({
    noun: 'network',
    namespace,
    name,
    ...owner,
    as: { driver: 'bridge-vlan', mtu, tagged: { bridge, segment: null } },
  })
}
