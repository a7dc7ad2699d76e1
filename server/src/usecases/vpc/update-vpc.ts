import { Fault } from '../../engine/model/fault.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { requireNetworkName } from '../../domain/vpc/rules.ts'
import { type VpcView } from '../../domain/vpc/vpc.ts'
import { type Op } from '../../store/op.ts'
import { writtenRow } from '../written-row.ts'
import { mustNotBeDeleting, lockVpc } from './lock-vpc.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface UpdateVpcRequest {
  id: string
  name: string
  ifVersion?: number | null
}

/** Renames a VPC. Its addresses and its name in the cluster do not change. */
export async function updateVpc(op: Op, request: UpdateVpcRequest): Promise<{ vpc: VpcView }> {
  const row = await lockVpc(op, request.id)
  mustBeVersion('VPC', row, request.ifVersion)
  mustNotBeDeleting('vpc', row)
  const name = requireNetworkName(request.name)
  const isNewName = name.toLowerCase() !== row.name.toLowerCase()
  if (isNewName && (await op.vpcs.takenName(row.tenantId, name)))
    throw new Fault('already_exists', messageOf('vpc.name_taken', { name }))
  row.name = name
  return { vpc: await writtenRow(op, { kind: 'vpc', before: row }, (id) => op.reads.vpcs.find(id)) }
}
