import { Fault, notFound } from '../../engine/model/fault.ts'
import { type VpcView } from '../../domain/vpc/vpc.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

type Row = Awaited<ReturnType<Op['vpcs']['get']>>

/**
 * Returns the tenant's VPC, locked until the unit of work ends, and records it in the audit row.
 */
export async function lockVpc(op: Op, id: string): Promise<Row> {
  const row = await op.vpcs.get(id)
  op.audit.setTarget('vpc', { id: row.id, name: row.name, tenantId: row.tenantId })
  return row
}

export function mustNotBeDeleting(
  noun: 'vpc' | 'network',
  { name, deleteRequestedAt }: { name: string; deleteRequestedAt?: string | null },
): void {
  if (deleteRequestedAt)
    throw new Fault(
      'wrong_state',
      messageOf(noun === 'vpc' ? 'vpc.deleting' : 'network.deleting', { name }),
    )
}

/**
 * Returns the VPC as written by the unit of work. The caller has added it to the change log
 * already.
 */
export async function vpcAfter(op: Op, id: string): Promise<VpcView> {
  await op.flush()
  const vpc = await op.reads.vpcs.find(id)
  if (!vpc) throw notFound('vpc', id)
  return vpc
}
