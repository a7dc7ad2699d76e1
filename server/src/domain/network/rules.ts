import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type Block, addressText, blockFromText, blocks } from './block.ts'
import { someOf } from '../../engine/model/some-of.ts'
import { type NetworkView } from './network.ts'
import { type CidrPlan, type Taken, planNetworks } from './plan.ts'

const usualPrefix = 24
const smallest = { suggested: 28, possible: 29 } as const

/** The addresses that somebody wants for a network of the VPC. */
export function requireNetworkCidr(text: string, vpc: Block): Block {
  const block = blockFromText(text.trim())
  if (!block) throw invalid('cidr', 'must be an IPv4 network such as 10.1.2.0/24')
  if (!blocks.holds(vpc, block))
    throw invalid('cidr', `must be inside the VPC's ${blocks.text(vpc)}`)
  if (block.prefix > smallest.possible)
    throw invalid('cidr', `must be a /${smallest.possible} or larger, or no VM would fit in`)
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
      `must be from ${vpc.prefix}, which is the whole VPC, to ${smallest.suggested}`,
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
  if (isDefault)
    return new Fault(
      'read_only',
      `Network ${name} came with its VPC and goes with it; it cannot be deleted alone.`,
    )
  return vms.length === 0
    ? null
    : new Fault('in_use', `Network ${name} is used by VMs: ${someOf(vms)}; delete them first.`)
}

/** The first address that is not the network's own. */
export const gatewayOf = ({ first }: Block): string => addressText(first + 1n)
