import { blockFromText } from '../../domain/network/block.ts'
import { type Taken, type Taker } from '../../domain/network/plan.ts'
import { type Networking } from '../../domain/network/networking.ts'
import { guestRange } from '../../domain/network/free-block.ts'
import { type Reads } from '../../store/op.ts'

/** What another VPC of the tenant cannot have. */
export async function takenFromTenant(
  reads: Reads,
  tenantId: string,
  { reserved }: Networking,
): Promise<Taken[]> {
  return [...named('vpc', await reads.vpcs.cidrsOf(tenantId)), ...reserved]
}

/** What another network of the VPC cannot have, or had better not. */
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
