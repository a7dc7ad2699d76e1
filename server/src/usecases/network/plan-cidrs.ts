import { notFound } from '../../engine/model/fault.ts'
import { blockFromText } from '../../domain/network/block.ts'
import { type Networking } from '../../domain/network/networking.ts'
import { type CidrPlan } from '../../domain/network/plan.ts'
import { networkPlan } from '../../domain/network/rules.ts'
import { vpcPlan } from '../../domain/vpc/rules.ts'
import { type Reads } from '../../store/op.ts'
import { takenFromTenant, takenFromVpc } from './taken.ts'

interface AskedPlan {
  prefix?: number | null | undefined
  networking: Networking
}

/** Which addresses another VPC of the tenant could have. */
export async function planVpcCidrs(
  reads: Reads,
  tenantId: string,
  { prefix, networking }: AskedPlan,
): Promise<CidrPlan> {
  return vpcPlan(await takenFromTenant(reads, tenantId, networking), prefix)
}

/** Which addresses another network of the VPC could have. */
export async function planNetworkCidrs(
  reads: Reads,
  vpcId: string,
  { prefix, networking }: AskedPlan,
): Promise<CidrPlan & { vpcCidr: string }> {
  const vpc = await reads.vpcs.find(vpcId)
  const space = vpc && blockFromText(vpc.cidr)
  if (!space) throw notFound('vpc', vpcId)
  return {
    vpcCidr: vpc.cidr,
    ...networkPlan(space, await takenFromVpc(reads, vpcId, networking), prefix),
  }
}
