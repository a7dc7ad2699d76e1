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

/** Renames a network; its addresses and what it is called in the cluster stay. */
export async function updateNetwork(
  op: Op,
  asked: NetworkChange,
): Promise<{ network: NetworkView }> {
  const row = await ownNetwork(op, asked.id)
  mustBeVersion('network', row, asked.ifVersion)
  mustNotGo('network', row)
  const name = requireNetName(asked.name)
  const isOther = name.toLowerCase() !== row.name.toLowerCase()
  if (isOther && (await op.networks.nameTaken(row.vpcId, name)))
    throw new Fault('already_exists', messageOf('network.name_taken', { name }))
  row.name = name
  return { network: await networkAfter(op, row) }
}
