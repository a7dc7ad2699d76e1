import { Fault } from '../../engine/model/fault.ts'
import { invalid, requireText } from '../../engine/model/name.ts'
import { type Block, blockFromText, blocks } from '../network/block.ts'
import { type CidrPlan, type TakenBlock, planVpcs } from '../network/plan.ts'
import { abbreviatedList } from '../../engine/model/abbreviated-list.ts'
import { type VmInNetwork, usedByVms } from '../network/vm-in-network.ts'
import { type VpcView } from './vpc.ts'
import { messageOf } from '../../engine/model/message.ts'

const usual = { prefix: 16, largest: 8, smallest: 24 } as const

// The share of suggestions from each private range, and the usual prefix there. The last range is
// too small for many blocks of the usual size.
const ranges = [
  { text: '10.0.0.0/8', share: 5, prefix: usual.prefix },
  { text: '172.16.0.0/12', share: 2, prefix: usual.prefix },
  { text: '192.168.0.0/16', share: 1, prefix: 20 },
].flatMap(({ text, ...range }) => {
  const space = blockFromText(text)
  return space ? [{ space, ...range }] : []
})

/**
 * Validates the name of a VPC or network. Names stay in the database and are not used in the
 * cluster.
 */
export function requireNetworkName(text: string): string {
  const name = requireText(text, 'name', 100)
  if (/\p{Cc}/u.test(name) || !name.isWellFormed())
    throw invalid('name', messageOf('field.control_characters'))
  return name
}

/** Validates the CIDR that a user requests for a VPC. */
export function requireVpcCidr(text: string): Block {
  const block = blockFromText(text.trim())
  if (!block) throw invalid('cidr', messageOf('vpc.example'))
  if (!ranges.some(({ space }) => blocks.holds(space, block)))
    throw invalid('cidr', messageOf('vpc.not_private'))
  if (block.prefix > usual.smallest)
    throw invalid('cidr', messageOf('vpc.too_small', { prefix: usual.smallest }))
  return block
}

/**
 * Suggests CIDRs for another VPC: with the given prefix, or with the usual prefix of each private
 * range.
 */
export function vpcPlan(taken: readonly TakenBlock[], prefix: number | null | undefined): CidrPlan {
  if (typeof prefix === 'number' && !isSize(prefix))
    throw invalid(
      'prefix',
      messageOf('field.from_to', { least: usual.largest, most: usual.smallest }),
    )
  const sized = ranges.map((range) => ({ ...range, prefix: prefix ?? range.prefix }))
  return planVpcs({ spaces: sized.filter((range) => range.space.prefix <= range.prefix), taken })
}

const isSize = (prefix: number): boolean =>
  Number.isInteger(prefix) && prefix >= usual.largest && prefix <= usual.smallest

interface UsesOfVpc {
  /** The networks that were not created with the VPC. */
  networks: readonly { name: string; isDeleting: boolean }[]
  /** The VMs in any of its networks. */
  vms: readonly VmInNetwork[]
}

/** Returns why the VPC cannot be deleted now, or null. */
export function vpcDeleteRefusal(
  { name, isDefault }: Pick<VpcView, 'name' | 'isDefault'>,
  { networks, vms }: UsesOfVpc,
): Fault | null {
  if (isDefault) return new Fault('read_only', messageOf('vpc.of_tenant', { name }))
  if (vms.length > 0) return usedByVms('vpc', name, vms)
  if (networks.length === 0) return null
  const names = abbreviatedList(networks.map((network) => network.name))
  return new Fault('in_use', messageOf('vpc.has_networks', { name, networks: names }), {
    transient: networks.every(({ isDeleting }) => isDeleting),
  })
}
