import { Fault } from '../../engine/model/fault.ts'
import { type Block, blockFromText, blocks } from './block.ts'
import { type CidrPlan, type TakenBlock, ownerMessage } from './plan.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** KubeVirt's default range for guests on the cluster network. */
const guestCidr = '10.0.2.0/24'

/**
 * Returns KubeVirt's default range for guests as a taken block, so that Berth never chooses it for
 * a network. A guest that has it on two NICs cannot route to it. A client may still request it for
 * VMs without a NIC on the cluster network.
 */
export function guestRange(): TakenBlock[] {
  const block = blockFromText(guestCidr)
  return block ? [{ ...block, by: 'guests', name: null }] : []
}

/** The maximum number of taken blocks, because a client waits while they are searched. */
const maxTaken = 4_096

/**
 * Refuses a CIDR block that overlaps a taken one, and names its owner. It is refused too when too
 * many blocks are taken.
 */
export function mustBeFree(block: Block, taken: readonly TakenBlock[]): void {
  if (taken.length >= maxTaken)
    throw new Fault('quota_exceeded', messageOf('network.most_blocks', { most: maxTaken }))
  const conflict = taken.find((each) => each.by !== 'guests' && blocks.overlap(each, block))
  if (!conflict) return
  const whose = ownerMessage(conflict)
  throw new Fault(
    'cidr_overlap',
    messageOf('network.overlap', {
      block: blocks.text(block),
      other: blocks.text(conflict),
      whose,
    }),
    {
      fields: [
        {
          path: 'cidr',
          message: messageOf('network.overlap_field', { other: blocks.text(conflict) }),
        },
      ],
    },
  )
}

/** Returns the CIDR block that the plan chose, for a request that names none. */
export function autoBlock({ auto, prefix }: CidrPlan, refusal: (prefix: number) => Message): Block {
  const block = auto === null ? null : blockFromText(auto)
  if (block) return block
  throw new Fault('cidr_exhausted', refusal(prefix))
}
