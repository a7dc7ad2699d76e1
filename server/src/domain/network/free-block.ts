import { Fault } from '../../engine/model/fault.ts'
import { type Block, blockFromText, blocks } from './block.ts'
import { type CidrPlan, type Taken, words } from './plan.ts'

/** What KubeVirt gives to every guest on the cluster's own network, unless it is told otherwise. */
const insideGuests = '10.0.2.0/24'

/**
 * A guest with a leg in both would not know where these addresses are. Nobody is kept from it:
 * whoever wants them may have VMs without the other leg.
 */
export function guestRange(): Taken[] {
  const block = blockFromText(insideGuests)
  return block ? [{ ...block, by: 'guests', name: null }] : []
}

/** So many can be looked at while somebody waits for the next. */
const mostBeside = 4_096

/**
 * Refuses a block that overlaps what is taken, naming whose that is, and one too many beside it.
 */
export function mustBeFree(block: Block, taken: readonly Taken[]): void {
  if (taken.length >= mostBeside)
    throw new Fault(
      'quota_exceeded',
      `There are ${taken.length} blocks here already, which is the most; delete one first.`,
    )
  const hindrance = taken.find((each) => each.by !== 'guests' && blocks.overlap(each, block))
  if (!hindrance) return
  const whose = words[hindrance.by](hindrance.name ?? '')
  throw new Fault(
    'cidr_overlap',
    `${blocks.text(block)} overlaps ${blocks.text(hindrance)}, which is ${whose}; choose another block.`,
    {
      fields: [{ path: 'cidr', message: `overlaps ${blocks.text(hindrance)}` }],
    },
  )
}

/** The block that the plan chose, where nobody chose one. */
export function autoBlock({ auto, prefix }: CidrPlan, where: string): Block {
  const block = auto === null ? null : blockFromText(auto)
  if (block) return block
  throw new Fault(
    'cidr_exhausted',
    `No /${prefix} is free in ${where}; ask for a smaller block, or name one.`,
  )
}
