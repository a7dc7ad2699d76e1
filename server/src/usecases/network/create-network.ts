import { Fault, notFound } from '../../engine/model/fault.ts'
import { type NetworkView } from '../../domain/network/network.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { requireNetName } from '../../domain/vpc/rules.ts'
import { type Op } from '../../store/op.ts'
import { type Berth } from '../berth.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFit } from '../tenant/must-fit.ts'
import { mustHaveRoom } from '../tenant/must-have-room.ts'
import { mustNotGo } from '../vpc/own-vpc.ts'
import { addNetwork } from './add-network.ts'
import { takenFromVpc } from './taken.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface NewNetwork {
  name: string
  vpcId: string
  /** Without one the plan chooses, of this size or the usual one. */
  cidr?: string | null
  prefix?: number | null
}

/**
 * Asks for a network in a VPC; its segment and its attachment are made by the operation that is
 * returned.
 */
export async function createNetwork(
  op: Op,
  asked: NewNetwork,
  { networking, quotaDefaults: defaults }: Pick<Berth, 'networking' | 'quotaDefaults'>,
): Promise<{ network: NetworkView; operation: OperationView }> {
  const name = requireNetName(asked.name)
  networking.chooseDriver()
  const known = await op.reads.vpcs.find(asked.vpcId)
  if (!known) throw notFound('vpc', asked.vpcId)
  const { tenantId } = known
  // The tenant is locked before what is in it, as everywhere.
  await mustFit(op, { tenantId, defaults, asked: { networks: 1 } })
  const vpc = await op.vpcs.get(asked.vpcId)
  mustNotGo('vpc', vpc)
  await mustHaveRoom(op, tenantId)
  if (await op.networks.nameTaken(vpc.id, name))
    throw new Fault('already_exists', messageOf('network.name_taken_in', { vpc: vpc.name, name }))
  const wanted = {
    vpc,
    name,
    isDefault: false,
    cidr: asked.cidr ?? null,
    prefix: asked.prefix ?? null,
  }
  const network = await addNetwork(op, wanted, await takenFromVpc(op.reads, vpc.id, networking))
  op.audit.about('network', { id: network.id, name, tenantId })
  return {
    network,
    operation: await openOperation(op, 'create_network', {
      kind: 'network',
      id: network.id,
      name,
      tenantId,
    }),
  }
}
