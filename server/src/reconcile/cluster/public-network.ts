import { type NamespaceWriter, type ObjectWriter } from '../../cluster/writer.ts'
import { publicNetwork } from '../../domain/network/public-network.ts'

type PublicNetworkWriter = NamespaceWriter & Pick<ObjectWriter, 'applyObject'>

interface PublicNetworkBridge {
  /** The bridge exists on every node that runs VMs and contains the uplink. */
  bridge: string
  mtu: number
}

/** The public network belongs to no tenant. Its own id stands in for tenant id and row id. */
const owner = { tenantId: publicNetwork.id, rowId: publicNetwork.id } as const

const unknownUids: Readonly<Record<'namespace' | 'network', string | null>> = {
  namespace: null,
  network: null,
}

/**
 * Returns a function that applies the attachment that the VMs of all tenants share, in a namespace
 * of the platform. A known uid turns three calls into one. After a failure the uids are unknown
 * again, because one of the objects may have been deleted.
 */
export function publicNetworkApplier(
  writer: PublicNetworkWriter,
  { bridge, mtu }: PublicNetworkBridge,
): () => Promise<void> {
  const { attachmentNamespace: namespace, attachmentName: name } = publicNetwork
  let uids = unknownUids
  return async () => {
    const known = uids
    uids = unknownUids
    const made = await writer.applyNamespace({ name: namespace, ...owner, uid: known.namespace })
    const network = await writer.applyObject({
      noun: 'network',
      namespace,
      name,
      ...owner,
      uid: known.network,
      spec: { driver: 'bridge-vlan', mtu, tagged: { bridge, segment: null } },
    })
    uids = { namespace: made.uid, network: network.uid }
  }
}
