import { blockFromText } from '../../domain/network/block.ts'
import { type Taken, type Taker } from '../../domain/network/plan.ts'
import { type Networking } from '../../domain/network/networking.ts'
import { guestRange } from '../../domain/network/free-block.ts'
import { type Reads } from '../../store/op.ts'

/** Returns the blocks that a new VPC of the tenant cannot use. */
export async function takenFromTenant(
  reads: Reads,
  tenantId: string,
  { reserved }: Networking,
): Promise<Taken[]> {
  return [...named('vpc', await reads.vpcs.cidrsOf(tenantId)), ...reserved]
}

/** Returns the blocks that a new network of the VPC cannot or should not use. */
export async function takenFromVpc(
  reads: Reads,
  vpcId: string,
  { reserved }: Networking,
): Promise<Taken[]> {
  return [...named('network', await reads.networks.cidrsOf(vpcId)), ...reserved, ...guestRange()]
}

const named = (by: Taker, cidrs: readonly { name: string; cidr: string }[]): Taken[] =>
  cidrs.flatMap(({ name, cidr }) => {
    const block = blockFromText(cidr)
    return block ? [{ ...block, by, name }] : []
  })
