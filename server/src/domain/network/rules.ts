import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type Block, addressText, blockFromText, blocks } from './block.ts'
import { type NetworkView } from './network.ts'
import { type CidrPlan, type TakenBlock, planNetworks } from './plan.ts'
import { type VmInNetwork, usedByVms } from './vm-in-network.ts'
import { messageOf } from '../../engine/model/message.ts'

const defaultPrefix = 24
const smallest = { suggested: 28, possible: 29 } as const

/** Validates the CIDR that a user requests for a network inside the VPC. */
export function requireNetworkCidr(text: string, vpc: Block): Block {
  const block = blockFromText(text.trim())
  if (!block) throw invalid('cidr', messageOf('network.example'))
  if (!blocks.holds(vpc, block))
    throw invalid('cidr', messageOf('network.outside_vpc', { cidr: blocks.text(vpc) }))
  if (block.prefix > smallest.possible)
    throw invalid('cidr', messageOf('network.too_small', { prefix: smallest.possible }))
  return block
}

/** Suggests CIDRs for another network of the VPC. */
export function networkPlan(
  vpc: Block,
  taken: readonly TakenBlock[],
  requestedPrefix: number | null | undefined,
): CidrPlan {
  const prefix = requestedPrefix ?? Math.max(defaultPrefix, vpc.prefix)
  if (!Number.isInteger(prefix) || prefix < vpc.prefix || prefix > smallest.suggested)
    throw invalid(
      'prefix',
      messageOf('network.prefix_range', { least: vpc.prefix, most: smallest.suggested }),
    )
  return planNetworks({ space: vpc, taken, prefix })
}

/** Returns why the network cannot be deleted now, or null. */
export function networkDeleteRefusal(
  { name, isDefault }: Pick<NetworkView, 'name' | 'isDefault'>,
  vms: readonly VmInNetwork[],
): Fault | null {
  if (isDefault) return new Fault('read_only', messageOf('network.of_vpc', { name }))
  return vms.length === 0 ? null : usedByVms('network', name, vms)
}

/** Returns the gateway: the first address after the network address. */
export const gatewayOf = ({ first }: Block): string => addressText(first + 1n)
