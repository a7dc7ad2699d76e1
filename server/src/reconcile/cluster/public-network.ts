import { type NamespaceWriter, type ObjectWriter } from '../../cluster/writer.ts'
import { publicNetwork } from '../../domain/network/public-network.ts'

type PublicNetworkWriter = NamespaceWriter & Pick<ObjectWriter, 'applyObject'>

interface PublicNetworkBridge {
  /** The bridge exists on every node that runs VMs and contains the uplink. */
  bridge: string
  mtu: number
}

/** The public network belongs to no tenant. Its own id stands in for tenant id and row id. */
const owner = { tenantId: publicNetwork.id, rowId: publicNetwork.id, uid: null } as const

/** Applies the attachment that the VMs of all tenants share, in a namespace of the platform. */
export async function putPublicNetwork(
  writer: PublicNetworkWriter,
  { bridge, mtu }: PublicNetworkBridge,
): Promise<void> {
  const { attachmentNamespace: namespace, attachmentName: name } = publicNetwork
  await writer.applyNamespace({ name: namespace, ...owner })
  await writer.applyObject({
    noun: 'network',
    namespace,
    name,
    ...owner,
    spec: { driver: 'bridge-vlan', mtu, tagged: { bridge, segment: null } },
  })
}
