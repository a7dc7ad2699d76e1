import { type OperationView } from '../../domain/operation/operation.ts'
import { vpcDeleteRefusal } from '../../domain/vpc/rules.ts'
import { type VpcView } from '../../domain/vpc/vpc.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { requestVpcDelete } from '../../store/vpc/request-vpc-delete.ts'
import { openOrJoinOperation } from '../operation/open-operation.ts'
import { lockVpc, vpcAfter } from './lock-vpc.ts'

export interface DeleteVpcRequest {
  id: string
  /**
   * Deletes the other networks in the VPC too. Without it, the request is refused while there are
   * any.
   */
  withNetworks?: boolean | null
  ifVersion?: number | null
}

/**
 * Requests the deletion of a VPC and its networks. A repeated request returns the open operation.
 */
export async function deleteVpc(
  op: Op,
  request: DeleteVpcRequest,
): Promise<{ vpc: VpcView; operation: OperationView }> {
  const row = await lockVpc(op, request.id)
  mustBeVersion('VPC', row, request.ifVersion)
  const { id, name, tenantId } = row
  const isOpenAlready = (await op.operations.unfinished('vpc', id)).some(
    ({ kind }) => kind === 'delete_vpc',
  )
  if (!isOpenAlready) {
    await mustBeDeletable(op, row, request)
    await requestVpcDelete(op, row)
  }
  const operation = await openOrJoinOperation(op, 'delete_vpc', { kind: 'vpc', id, name, tenantId })
  return { vpc: await vpcAfter(op, id), operation }
}

async function mustBeDeletable(
  op: Op,
  row: Awaited<ReturnType<typeof lockVpc>>,
  { withNetworks }: DeleteVpcRequest,
): Promise<void> {
  const later = (await op.networks.ofVpc(row.id))
    .filter(({ isDefault }) => !isDefault)
    .map(({ name, deleteRequestedAt }) => ({ name, isDeleting: Boolean(deleteRequestedAt) }))
  const vms = await op.nics.vmsInVpc(row.id)
  const refusal = vpcDeleteRefusal(row, { networks: withNetworks ? [] : later, vms })
  if (refusal) throw refusal
}
