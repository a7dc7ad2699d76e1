import { type Block, blocks } from './block.ts'
import { freeBlocks, sortedDisjoint, roomAround, walkBlocks } from './free-space.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** The owners of taken blocks: VPCs and networks, and ranges that the configuration reserves. */
export const blockOwners = [
  'vpc',
  'network',
  'public',
  'pods',
  'services',
  'nodes',
  'guests',
] as const
export type BlockOwner = (typeof blockOwners)[number]

/** A block that is not free, and its owner. */
export interface TakenBlock extends Block {
  by: BlockOwner
  /** The name of the VPC or network; null for reserved ranges. */
  name: string | null
}

export interface Suggestion {
  cidr: string
  available: boolean
  /** Describes the conflict; null when the block is free. */
  reason: Message | null
  conflictsWith: string | null
  addresses: number
  /** The largest free block around it. */
  roomToGrow: string | null
}

export interface MapBlock {
  cidr: string
  state: 'free' | 'used' | 'reserved'
  name: string | null
  /** Describes the owner; null when the block is free. */
  reason: Message | null
}

/**
 * Helps a user choose the CIDR of a new VPC or network: free blocks, taken blocks, and the one that
 * Berth would choose.
 */
export interface CidrPlan {
  prefix: number
  /** The block that is used when the client names none; null when there is no room. */
  auto: string | null
  suggestions: Suggestion[]
  /** The existing blocks of the same kind. */
  used: string[]
  /** The whole space in address order, truncated at its end. */
  map: MapBlock[]
}

const mostFree = 8
const maxSuggestions = 12
const mostMapped = 512

/**
 * Suggests CIDRs for a network inside a VPC. The search starts after the last network and then
 * wraps around, so that a released block rests for a while.
 */
export function planNetworks({
  space,
  taken,
  prefix,
}: {
  space: Block
  taken: readonly TakenBlock[]
  prefix: number
}): CidrPlan {
  const ordered = sortedDisjoint(taken.filter((each) => blocks.overlap(each, space)))
  const last = ordered.findLast(({ by }) => by === 'network')?.last ?? space.first - 1n
  const from = last < space.last ? last + 1n : space.first
  const afterLast = searchBlocks({ space, prefix, ordered, from }, mostFree)
  const beforeLast = searchBlocks(
    { space, prefix, ordered, from: space.first, until: from },
    mostFree - afterLast.filter(isFree).length,
  )
  return planFrom({ prefix, spaces: [space], ordered, taken, kind: 'network' }, [
    ...afterLast,
    ...beforeLast,
  ])
}

/** The number of suggestions from a private range, and their prefix. */
interface SpaceShare {
  space: Block
  share: number
  prefix: number
}

/** Suggests CIDRs for a VPC in all private ranges. */
export function planVpcs({
  spaces,
  taken,
}: {
  spaces: readonly SpaceShare[]
  taken: readonly TakenBlock[]
}): CidrPlan {
  const ordered = sortedDisjoint(taken)
  const checked = spaces.flatMap(({ space, share, prefix }) =>
    searchBlocks({ space, prefix, ordered, from: space.first }, share),
  )
  const prefix = spaces[0]?.prefix ?? 0
  return planFrom(
    { prefix, spaces: spaces.map(({ space }) => space), ordered, taken, kind: 'vpc' },
    checked,
  )
}

/** A checked block, its conflict, and the space that contains it. */
interface SearchedBlock {
  block: Block
  conflict: TakenBlock | null
  space: Block
}

const isFree = ({ conflict }: SearchedBlock): boolean => conflict === null

interface SearchRequest {
  space: Block
  prefix: number
  ordered: readonly TakenBlock[]
  from: bigint
  /** The search ends here, or at the end of the space. */
  until?: bigint
}

/** Finds up to `most` free blocks, and the first conflicting blocks on the way. */
function searchBlocks(
  { space, prefix, ordered, from, until = space.last + 1n }: SearchRequest,
  most: number,
): SearchedBlock[] {
  const free: SearchedBlock[] = []
  const refused: SearchedBlock[] = []
  if (most === 0) return []
  for (const { block, conflict } of walkBlocks({ space, prefix, taken: ordered, from })) {
    if (block.first >= until) break
    const checked = { block, conflict, space }
    if (conflict === null) free.push(checked)
    else if (refused.length < maxSuggestions) refused.push(checked)
    if (free.length === most) break
  }
  return [...free, ...refused]
}

function suggestionOf(
  { block, conflict, space }: SearchedBlock,
  ordered: readonly TakenBlock[],
): Suggestion {
  return {
    cidr: blocks.text(block),
    available: conflict === null,
    reason:
      conflict &&
      messageOf('network.taken', {
        whose: ownerMessage(conflict),
        cidr: blocks.text(conflict),
      }),
    conflictsWith: conflict && blocks.text(conflict),
    addresses: blocks.size(block),
    roomToGrow: conflict ? null : blocks.text(roomAround(block, space, ordered)),
  }
}

/** Returns the owner of the addresses as part of a sentence. */
export function ownerMessage({ by, name }: Pick<TakenBlock, 'by' | 'name'>): Message {
  return takerMessages[by](name ?? '')
}

const takerMessages: Readonly<Record<BlockOwner, (name: string) => Message>> = {
  vpc: (name) => messageOf('network.taker.vpc', { name }),
  network: (name) => messageOf('network.taker.network', { name }),
  public: () => messageOf('network.taker.public'),
  pods: () => messageOf('network.taker.pods'),
  services: () => messageOf('network.taker.services'),
  nodes: () => messageOf('network.taker.nodes'),
  guests: () => messageOf('network.taker.guests'),
}

interface PlanRequest {
  prefix: number
  spaces: readonly Block[]
  ordered: readonly TakenBlock[]
  taken: readonly TakenBlock[]
  kind: BlockOwner
}

function planFrom(
  { prefix, spaces, ordered, taken, kind }: PlanRequest,
  checked: readonly SearchedBlock[],
): CidrPlan {
  const free = checked.filter(isFree).slice(0, mostFree)
  const refused = checked.filter((each) => !isFree(each)).slice(0, maxSuggestions - free.length)
  const suggestions = [...free, ...refused].map((each) => suggestionOf(each, ordered))
  return {
    prefix,
    auto: free.length > 0 ? (suggestions[0]?.cidr ?? null) : null,
    suggestions,
    used: taken.filter(({ by }) => by === kind).map(blocks.text),
    map: spaces.flatMap((space) => mapOf(space, ordered)).slice(0, mostMapped),
  }
}

function mapOf(space: Block, ordered: readonly TakenBlock[]): MapBlock[] {
  const there = ordered.filter((each) => blocks.overlap(each, space)).slice(0, mostMapped)
  const mapBlocks: (Omit<MapBlock, 'cidr'> & { block: Block })[] = there.map((block) => ({
    block,
    ...ownerOf(block),
  }))
  for (const block of freeBlocks(space, there)) {
    if (mapBlocks.length === there.length + mostMapped) break
    mapBlocks.push({ block, state: 'free', name: null, reason: null })
  }
  return mapBlocks
    .toSorted((a, b) => (a.block.first < b.block.first ? -1 : 1))
    .slice(0, mostMapped)
    .map(({ block, ...rest }) => ({ cidr: blocks.text(block), ...rest }))
}

const ownerOf = ({ by, name }: TakenBlock): Omit<MapBlock, 'cidr'> => ({
  state: by === 'network' || by === 'vpc' ? 'used' : 'reserved',
  name,
  reason: ownerMessage({ by, name }),
})
