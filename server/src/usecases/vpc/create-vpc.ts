import { Fault } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { invalid } from '../../engine/model/name.ts'
import { type Block } from '../../domain/network/block.ts'
import { type NetworkView } from '../../domain/network/network.ts'
import { type TakenBlock } from '../../domain/network/plan.ts'
import { autoBlock, mustBeFree } from '../../domain/network/free-block.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { requireNetworkName, requireVpcCidr, vpcPlan } from '../../domain/vpc/rules.ts'
import { type VpcView } from '../../domain/vpc/vpc.ts'
import { type Op } from '../../store/op.ts'
import { type Berth } from '../berth.ts'
import { takenFromTenant } from '../network/taken-blocks.ts'
import { openOperation } from '../operation/open-operation.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { lockOpenTenant, mustHaveNamespace } from '../tenant/must-have-namespace.ts'
import { addVpc } from './add-vpc.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CreateVpcRequest {
  name: string
  /** Without it, the plan chooses a block of this or the default size. */
  cidr?: string | null
  prefix?: number | null
}

/**
 * Creates the rows of a VPC and its first network. The returned operation creates both in the
 * cluster.
 */
export async function createVpc(
  op: Op,
  request: CreateVpcRequest,
  { networking, quotaDefaults: defaults }: Pick<Berth, 'networking' | 'quotaDefaults'>,
): Promise<{ vpc: VpcView; defaultNetwork: NetworkView; operation: OperationView }> {
  const tenantId = mustActInTenant(op.viewer)
  const name = requireNetworkName(request.name)
  networking.chooseDriver()
  // The lock makes a concurrent request see the chosen block.
  await lockOpenTenant(op, tenantId)
  await mustHaveNamespace(op, tenantId)
  await mustFitQuota(op, { tenantId, defaults, requested: { vpcs: 1, networks: 1 } })
  const taken = await op.vpcs.takenName(tenantId, name)
  if (taken) throw new Fault('already_exists', messageOf('vpc.name_taken', { name }), taken)
  const block = blockFor(request, await takenFromTenant(op.reads, tenantId, networking))
  const requestedCidr = request.cidr?.trim() || null
  const { vpc, network } = await addVpc(
    op,
    { tenantId, name, block, requestedCidr, isDefault: false },
    networking,
  )
  op.audit.setTarget('vpc', { id: vpc.id, name, tenantId })
  return {
    vpc,
    defaultNetwork: network,
    operation: await openOperation(op, 'create_vpc', { kind: 'vpc', id: vpc.id, name, tenantId }),
  }
}

function blockFor({ cidr, prefix }: CreateVpcRequest, taken: readonly TakenBlock[]): Block {
  const block = cidr
    ? requireVpcCidr(cidr)
    : autoBlock(vpcPlan(taken, prefix), (prefix) =>
        messageOf('network.private_ranges_exhausted', { prefix }),
      )
  if (cidr && prefix && block.prefix !== prefix)
    throw invalid('prefix', messageOf('network.prefix_misfit'))
  mustBeFree(block, taken)
  return block
}
