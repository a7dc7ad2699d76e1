import { type Op } from '../op.ts'

type Row = Awaited<ReturnType<Op['vpcs']['get']>>

/**
 * Requests that a VPC and its networks are deleted. Those that are being deleted already are only
 * enqueued again.
 */
export async function requestVpcDelete(op: Op, vpc: Row): Promise<void> {
  for (const network of await op.networks.ofVpc(vpc.id)) {
    if (!network.deleteRequestedAt)
      op.changes.record('network', {
        id: network.id,
        version: network.version + 1,
        tenantId: network.tenantId,
      })
    op.networks.requestDelete(network)
    op.work.enqueue('network', { id: network.id, tenantId: network.tenantId })
  }
  if (!vpc.deleteRequestedAt)
    op.changes.record('vpc', { id: vpc.id, version: vpc.version + 1, tenantId: vpc.tenantId })
  op.vpcs.requestDelete(vpc)
  op.work.enqueue('vpc', { id: vpc.id, tenantId: vpc.tenantId })
}
