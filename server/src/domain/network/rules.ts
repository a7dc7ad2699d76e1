import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type Block, addressText, blockFromText, blocks } from './block.ts'
import { someOf } from '../../engine/model/some-of.ts'
import { type NetworkView } from './network.ts'
import { type CidrPlan, type Taken, planNetworks } from './plan.ts'
import { messageOf } from '../../engine/model/message.ts'

const usualPrefix = 24
const smallest = { suggested: 28, possible: 29 } as const

/** The addresses that somebody wants for a network of the VPC. */
export function requireNetworkCidr(text: string, vpc: Block): Block {
  const block = blockFromText(text.trim())
  if (!block) throw invalid('cidr', messageOf('network.example'))
  if (!blocks.holds(vpc, block))
    throw invalid('cidr', messageOf('network.outside_vpc', { cidr: blocks.text(vpc) }))
  if (block.prefix > smallest.possible)
    throw invalid('cidr', messageOf('network.too_small', { prefix: smallest.possible }))
  return block
}

/** What could be taken for another network of the VPC. */
export function networkPlan(
  vpc: Block,
  taken: readonly Taken[],
  wanted: number | null | undefined,
): CidrPlan {
  const prefix = wanted ?? Math.max(usualPrefix, vpc.prefix)
  if (!Number.isInteger(prefix) || prefix < vpc.prefix || prefix > smallest.suggested)
    throw invalid(
      'prefix',
      messageOf('network.prefix_range', { least: vpc.prefix, most: smallest.suggested }),
    )
  return planNetworks({ space: vpc, taken, prefix })
}

/**
 * Why the network cannot be deleted now; null when it can. `vms` are the names of those that are in
 * it.
 */
export function networkDeleteRefusal(
  { name, isDefault }: Pick<NetworkView, 'name' | 'isDefault'>,
  vms: readonly string[],
): Fault | null {
  if (isDefault) return new Fault('read_only', messageOf('network.of_vpc', { name }))
  return vms.length === 0
    ? null
    : new Fault('in_use', messageOf('network.used_by', { name, vms: someOf(vms) }))
}

/** The first address that is not the network's own. */
export const gatewayOf = ({ first }: Block): string => addressText(first + 1n)
