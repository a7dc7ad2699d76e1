import { type Block, blockFromText } from '../../../server/src/domain/network/block.ts'
import {
  type CidrPlan,
  type TakenBlock,
  type BlockOwner,
} from '../../../server/src/domain/network/plan.ts'

/* Short forms for tests of the planner that suggests free address blocks. */

export const block = (text: string): Block => {
  const found = blockFromText(text)
  if (!found) throw new RangeError(text)
  return found
}

/** Returns blocks that a network or a VPC has, as the planner receives them. */
export const taken = (by: BlockOwner, ...cidrs: string[]): TakenBlock[] =>
  cidrs.map((cidr) => ({ ...block(cidr), by, name: `of ${cidr}` }))

/** Returns the suggested blocks that the user can choose, and those that are refused. */
export const free = ({ suggestions }: CidrPlan): string[] =>
  suggestions.flatMap(({ cidr, available }) => (available ? [cidr] : []))
export const refused = ({ suggestions }: CidrPlan): string[] =>
  suggestions.flatMap(({ cidr, available }) => (available ? [] : [cidr]))
