import { Fault } from '../../engine/model/fault.ts'
import { type Block, blockFromText, blocks } from './block.ts'
import { type CidrPlan, type Taken, takerOf } from './plan.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

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
    throw new Fault('quota_exceeded', messageOf('network.most_blocks', { most: taken.length }))
  const hindrance = taken.find((each) => each.by !== 'guests' && blocks.overlap(each, block))
  if (!hindrance) return
  const whose = takerOf(hindrance)
  throw new Fault(
    'cidr_overlap',
    messageOf('network.overlap', {
      block: blocks.text(block),
      other: blocks.text(hindrance),
      whose,
    }),
    {
      fields: [
        {
          path: 'cidr',
          message: messageOf('network.overlap_field', { other: blocks.text(hindrance) }),
        },
      ],
    },
  )
}

/** The block that the plan chose, where nobody chose one. */
export function autoBlock({ auto, prefix }: CidrPlan, refusal: (prefix: number) => Message): Block {
  const block = auto === null ? null : blockFromText(auto)
  if (block) return block
  throw new Fault('cidr_exhausted', refusal(prefix))
}
