import { Fault } from '../../engine/model/fault.ts'
import { type NetworkView } from '../../domain/network/network.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { requireNetworkName } from '../../domain/vpc/rules.ts'
import { type Op } from '../../store/op.ts'
import { mustNotBeDeleting } from '../vpc/lock-vpc.ts'
import { networkAfter, lockNetwork } from './lock-network.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface UpdateNetworkRequest {
  id: string
  name: string
  ifVersion?: number | null
}

/** Renames a network. Its addresses and its name in the cluster do not change. */
export async function updateNetwork(
  op: Op,
  request: UpdateNetworkRequest,
): Promise<{ network: NetworkView }> {
  const row = await lockNetwork(op, request.id)
  mustBeVersion('network', row, request.ifVersion)
  mustNotBeDeleting('network', row)
  const name = requireNetworkName(request.name)
  const isNewName = name.toLowerCase() !== row.name.toLowerCase()
  if (isNewName && (await op.networks.takenName(row.vpcId, name)))
    throw new Fault('already_exists', messageOf('network.name_taken', { name }))
  row.name = name
  return { network: await networkAfter(op, row) }
}
