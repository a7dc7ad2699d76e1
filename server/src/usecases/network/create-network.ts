import { Fault, notFound } from '../../engine/model/fault.ts'
import { type NetworkView } from '../../domain/network/network.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { requireNetworkName } from '../../domain/vpc/rules.ts'
import { type Op } from '../../store/op.ts'
import { type Berth } from '../berth.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { mustHaveNamespace } from '../tenant/must-have-namespace.ts'
import { mustNotBeDeleting } from '../vpc/lock-vpc.ts'
import { addNetwork } from './add-network.ts'
import { takenFromVpc } from './taken-blocks.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CreateNetworkRequest {
  name: string
  vpcId: string
  /** Without it, the plan chooses a block of this or the default size. */
  cidr?: string | null
  prefix?: number | null
}

/** Creates a network in a VPC. The returned operation creates its segment and its attachment. */
export async function createNetwork(
  op: Op,
  request: CreateNetworkRequest,
  { networking, quotaDefaults: defaults }: Pick<Berth, 'networking' | 'quotaDefaults'>,
): Promise<{ network: NetworkView; operation: OperationView }> {
  const name = requireNetworkName(request.name)
  networking.chooseDriver()
  const unlockedVpc = await op.reads.vpcs.find(request.vpcId)
  if (!unlockedVpc) throw notFound('vpc', request.vpcId)
  const { tenantId } = unlockedVpc
  // The tenant is always locked before its objects.
  await mustFitQuota(op, { tenantId, defaults, requested: { networks: 1 } })
  const vpc = await op.vpcs.get(request.vpcId)
  mustNotBeDeleting('vpc', vpc)
  await mustHaveNamespace(op, tenantId)
  const taken = await op.networks.takenName(vpc.id, name)
  if (taken)
    throw new Fault('already_exists', messageOf('network.name_taken_in', { vpc: vpc.name, name }))
  const newNetwork = {
    vpc,
    name,
    isDefault: false,
    cidr: request.cidr ?? null,
    prefix: request.prefix ?? null,
  }
  const network = await addNetwork(op, newNetwork, await takenFromVpc(op.reads, vpc.id, networking))
  op.audit.setTarget('network', { id: network.id, name, tenantId })
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
