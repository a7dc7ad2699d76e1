import { type Block, blockFromText } from '../../../server/src/domain/network/block.ts'
import {
  type CidrPlan,
  type TakenBlock,
  type BlockOwner,
} from '../../../server/src/domain/network/plan.ts'

export const block = (text: string): Block => {
  const found = blockFromText(text)
  if (!found) throw new RangeError(text)
  return found
}

export const taken = (by: BlockOwner, ...cidrs: string[]): TakenBlock[] =>
  cidrs.map((cidr) => ({ ...block(cidr), by, name: `of ${cidr}` }))

export const free = ({ suggestions }: CidrPlan): string[] =>
  suggestions.flatMap(({ cidr, available }) => (available ? [cidr] : []))
export const refused = ({ suggestions }: CidrPlan): string[] =>
  suggestions.flatMap(({ cidr, available }) => (available ? [] : [cidr]))
