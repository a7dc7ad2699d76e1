import { type HostReader, type ObjectReader } from '../../cluster/reader.ts'
import { ClusterError } from '../../engine/kube/cluster-error.ts'
import { type ObjectWriter } from '../../cluster/writer.ts'
import { type WantedHostBridge } from '../../cluster/desired/network.ts'
import { hostBridgeName, uplinkRefusal } from '../../domain/network/host.ts'
import { publicNetwork } from '../../domain/network/public-network.ts'

interface UplinkCluster {
  reader: HostReader & Pick<ObjectReader, 'getObject'>
  writer: ObjectWriter
}

/** It is nobody's, as the public network is. */
const place = { namespace: null, name: hostBridgeName } as const
const owner = { tenantId: publicNetwork.id, rowId: publicNetwork.id, uid: null } as const

/**
 * Has all hosts make the bridge of the public network over its uplink; null takes the order back.
 * Comes to nothing where nobody sets up hosts.
 */
export async function putUplinkBridge(
  cluster: UplinkCluster,
  as: WantedHostBridge | null,
): Promise<void> {
  try {
    await (as === null ? takeBack(cluster) : order(cluster, as))
  } catch (error) {
    if (!(error instanceof ClusterError) || error.trouble !== 'not_served') throw error
  }
}

/**
 * Looked at each time: an interface may have become the way to a host since the start, and then its
 * state says so.
 */
async function order({ reader, writer }: UplinkCluster, as: WantedHostBridge): Promise<void> {
  if (uplinkRefusal(await reader.listHosts(), as) === null)
    await writer.applyObject({ noun: 'hostBridge', ...place, ...owner, as })
}

/** The bridge itself stays on the hosts, for VMs may be on it: only nobody makes it any more. */
async function takeBack({ reader, writer }: UplinkCluster): Promise<void> {
  const found = await reader.getObject('hostBridge', place)
  if (found?.rowId === owner.rowId) await writer.deleteObject('hostBridge', place, found.uid)
}
