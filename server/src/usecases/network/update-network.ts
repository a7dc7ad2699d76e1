import { Fault } from '../../engine/model/fault.ts'
import { type NetworkView } from '../../domain/network/network.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { requireNetName } from '../../domain/vpc/rules.ts'
import { type Op } from '../../store/op.ts'
import { mustNotGo } from '../vpc/own-vpc.ts'
import { networkAfter, ownNetwork } from './own-network.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface NetworkChange {
  id: string
  name: string
  ifVersion?: number | null
}

/** Renames a network. Its addresses and its name in the cluster do not change. */
export async function updateNetwork(
  op: Op,
  request: NetworkChange,
): Promise<{ network: NetworkView }> {
  const row = await ownNetwork(op, request.id)
  mustBeVersion('network', row, request.ifVersion)
  mustNotGo('network', row)
  const name = requireNetName(request.name)
  const isNewName = name.toLowerCase() !== row.name.toLowerCase()
  if (isNewName && (await op.networks.nameTaken(row.vpcId, name)))
    throw new Fault('already_exists', messageOf('network.name_taken', { name }))
  row.name = name
  return { network: await networkAfter(op, row) }
}
