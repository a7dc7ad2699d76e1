import { notFound } from '../../engine/model/fault.ts'
import { blockFromText } from '../../domain/network/block.ts'
import { type NetworkSettings } from '../../domain/network/network-settings.ts'
import { type CidrPlan } from '../../domain/network/plan.ts'
import { networkPlan } from '../../domain/network/rules.ts'
import { vpcPlan } from '../../domain/vpc/rules.ts'
import { type Reads } from '../../store/op.ts'
import { takenFromTenant, takenFromVpc } from './taken-blocks.ts'

interface PlanRequest {
  prefix?: number | null | undefined
  networking: NetworkSettings
}

/** Returns CIDR blocks that a new VPC of the tenant could use. */
export async function planVpcCidrs(
  reads: Reads,
  tenantId: string,
  { prefix, networking }: PlanRequest,
): Promise<CidrPlan> {
  return vpcPlan(await takenFromTenant(reads, tenantId, networking), prefix)
}

/** Returns CIDR blocks that a new network of the VPC could use. */
export async function planNetworkCidrs(
  reads: Reads,
  vpcId: string,
  { prefix, networking }: PlanRequest,
): Promise<CidrPlan & { vpcCidr: string }> {
  const vpc = await reads.vpcs.find(vpcId)
  const space = vpc && blockFromText(vpc.cidr)
  if (!space) throw notFound('vpc', vpcId)
  return {
    vpcCidr: vpc.cidr,
    ...networkPlan(space, await takenFromVpc(reads, vpcId, networking), prefix),
  }
}
