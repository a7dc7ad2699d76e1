import { type Op } from '../op.ts'

type Row = Awaited<ReturnType<Op['vpcs']['get']>>

/**
 * Asks a VPC to go, and its networks before it; what is on its way already is only looked at again.
 */
export async function requestVpcDelete(op: Op, vpc: Row): Promise<void> {
  for (const network of await op.networks.ofVpc(vpc.id)) {
    if (!network.deleteRequestedAt)
      op.changes.note('network', {
        id: network.id,
        version: network.version + 1,
        tenantId: network.tenantId,
      })
    op.networks.requestDelete(network)
    op.work.ring('network', { id: network.id, tenantId: network.tenantId })
  }
  if (!vpc.deleteRequestedAt)
    op.changes.note('vpc', { id: vpc.id, version: vpc.version + 1, tenantId: vpc.tenantId })
  op.vpcs.requestDelete(vpc)
  op.work.ring('vpc', { id: vpc.id, tenantId: vpc.tenantId })
}
