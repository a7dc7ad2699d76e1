import { type NetworkView } from '../../domain/network/network.ts'
import { networkDeleteRefusal } from '../../domain/network/rules.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type VersionedRequest, mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { openOrJoinOperation } from '../operation/open-operation.ts'
import { networkAfter, lockNetwork } from './lock-network.ts'

/** Requests the deletion of a network. A repeated request returns the open operation. */
export async function deleteNetwork(
  op: Op,
  request: VersionedRequest,
): Promise<{ network: NetworkView; operation: OperationView }> {
  const row = await lockNetwork(op, request.id)
  mustBeVersion('network', row, request.ifVersion)
  const refusal = networkDeleteRefusal(row, await op.nics.vmsIn(row.id))
  if (refusal) throw refusal
  op.networks.requestDelete(row)
  const { id, name, tenantId } = row
  return {
    network: await networkAfter(op, row),
    operation: await openOrJoinOperation(op, 'delete_network', {
      kind: 'network',
      id,
      name,
      tenantId,
    }),
  }
}
