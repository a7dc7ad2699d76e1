import { type NodeReader, type ObjectReader } from '../../cluster/reader.ts'
import { ClusterError } from '../../engine/kube/cluster-error.ts'
import { type ObjectWriter } from '../../cluster/writer.ts'
import { type DesiredHostBridge } from '../../cluster/desired/network.ts'
import { nodeBridgeName, uplinkRefusal } from '../../domain/network/node.ts'
import { publicNetwork } from '../../domain/network/public-network.ts'

interface UplinkCluster {
  reader: NodeReader & Pick<ObjectReader, 'getObject'>
  writer: ObjectWriter
}

/** The bridge belongs to no tenant, like the public network. */
const reference = { namespace: null, name: nodeBridgeName } as const
const owner = { tenantId: publicNetwork.id, rowId: publicNetwork.id, uid: null } as const

/**
 * Configures the bridge of the public network over its uplink on all nodes. Null removes that
 * configuration. Does nothing when the cluster does not serve node network configuration.
 */
export async function putUplinkBridge(
  cluster: UplinkCluster,
  as: DesiredHostBridge | null,
): Promise<void> {
  try {
    await (as === null ? removeConfiguration(cluster) : applyBridge(cluster, as))
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    // Without the right to read a configuration, Berth has never written one.
    const isNothingToRemove = as === null && error.trouble === 'not_permitted'
    if (error.trouble !== 'not_served' && !isNothingToRemove) throw error
  }
}

/**
 * Reads the nodes on every call: an interface may have become the route to its node since the
 * start, and then the bridge is refused.
 */
async function applyBridge(
  { reader, writer }: UplinkCluster,
  as: DesiredHostBridge,
): Promise<void> {
  if (uplinkRefusal(await reader.listNodes(), as) === null)
    await writer.applyObject({ noun: 'hostBridge', ...reference, ...owner, spec: as })
}

/** Removes the configuration only. The bridge itself stays on the nodes, because VMs may use it. */
async function removeConfiguration({ reader, writer }: UplinkCluster): Promise<void> {
  const existing = await reader.getObject('hostBridge', reference)
  if (existing?.rowId === owner.rowId)
    await writer.deleteObject('hostBridge', reference, existing.uid)
}
