import { Fault, notFound } from '../../engine/model/fault.ts'
import { type VpcView } from '../../domain/vpc/vpc.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

type Row = Awaited<ReturnType<Op['vpcs']['get']>>

/** The tenant's VPC, locked until the unit ends, with its name in the books. */
export async function ownVpc(op: Op, id: string): Promise<Row> {
  const row = await op.vpcs.get(id)
  op.audit.about('vpc', { id: row.id, name: row.name, tenantId: row.tenantId })
  return row
}

export function mustNotGo(
  noun: 'vpc' | 'network',
  { name, deleteRequestedAt }: { name: string; deleteRequestedAt?: string | null },
): void {
  if (deleteRequestedAt)
    throw new Fault(
      'wrong_state',
      messageOf(noun === 'vpc' ? 'vpc.deleting' : 'network.deleting', { name }),
    )
}

/** The VPC as the unit has written it; whoever wrote has told of it. */
export async function vpcAfter(op: Op, id: string): Promise<VpcView> {
  await op.flush()
  const vpc = await op.reads.vpcs.find(id)
  if (!vpc) throw notFound('vpc', id)
  return vpc
}
