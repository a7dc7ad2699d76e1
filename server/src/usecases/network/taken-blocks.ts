import { blockFromText } from '../../domain/network/block.ts'
import { type TakenBlock, type BlockOwner } from '../../domain/network/plan.ts'
import { type NetworkSettings } from '../../domain/network/network-settings.ts'
import { guestRange } from '../../domain/network/free-block.ts'
import { type Reads } from '../../store/op.ts'

/** Returns the CIDR blocks that a new VPC of the tenant cannot use. */
export async function takenFromTenant(
  reads: Reads,
  tenantId: string,
  { reserved }: NetworkSettings,
): Promise<TakenBlock[]> {
  return [...named('vpc', await reads.vpcs.cidrsOf(tenantId)), ...reserved]
}

/** Returns the CIDR blocks that a new network of the VPC cannot or should not use. */
export async function takenFromVpc(
  reads: Reads,
  vpcId: string,
  { reserved }: NetworkSettings,
): Promise<TakenBlock[]> {
  return [...named('network', await reads.networks.cidrsOf(vpcId)), ...reserved, ...guestRange()]
}

const named = (by: BlockOwner, cidrs: readonly { name: string; cidr: string }[]): TakenBlock[] =>
  cidrs.flatMap(({ name, cidr }) => {
    const block = blockFromText(cidr)
    return block ? [{ ...block, by, name }] : []
  })
