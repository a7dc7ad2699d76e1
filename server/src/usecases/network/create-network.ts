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
  /** Without it, the plan chooses a block of this or the default size. */
  cidr?: string | null
  prefix?: number | null
}

/** Creates a network in a VPC. The returned operation creates its segment and its attachment. */
export async function createNetwork(
  op: Op,
  request: NewNetwork,
  { networking, quotaDefaults: defaults }: Pick<Berth, 'networking' | 'quotaDefaults'>,
): Promise<{ network: NetworkView; operation: OperationView }> {
  const name = requireNetName(request.name)
  networking.chooseDriver()
  const unlockedVpc = await op.reads.vpcs.find(request.vpcId)
  if (!unlockedVpc) throw notFound('vpc', request.vpcId)
  const { tenantId } = unlockedVpc
  // The tenant is always locked before its objects.
  await mustFit(op, { tenantId, defaults, requested: { networks: 1 } })
  const vpc = await op.vpcs.get(request.vpcId)
  mustNotGo('vpc', vpc)
  await mustHaveRoom(op, tenantId)
  if (await op.networks.nameTaken(vpc.id, name))
    throw new Fault('already_exists', messageOf('network.name_taken_in', { vpc: vpc.name, name }))
  const newNetwork = {
    vpc,
    name,
    isDefault: false,
    cidr: request.cidr ?? null,
    prefix: request.prefix ?? null,
  }
  const network = await addNetwork(op, newNetwork, await takenFromVpc(op.reads, vpc.id, networking))
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
