import { type Block, blocks } from './block.ts'
import { freeBlocks, inOrder, roomAround, walkBlocks } from './free-space.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/**
 * What can stand in the way of a block: networks of our own, and ranges that the configuration
 * keeps for something else.
 */
export const takers = ['vpc', 'network', 'public', 'pods', 'services', 'nodes', 'guests'] as const
export type Taker = (typeof takers)[number]

/** Addresses that are not free, and whose they are. */
export interface Taken extends Block {
  by: Taker
  /** Of what people gave a name. */
  name: string | null
}

export interface Suggestion {
  cidr: string
  available: boolean
  /** What stands in the way, in words; null when it is free. */
  reason: Message | null
  conflictsWith: string | null
  addresses: number
  /** The largest block around it that is free as well: so much it could have been. */
  roomToGrow: string | null
}

export interface MapBlock {
  cidr: string
  state: 'free' | 'used' | 'reserved'
  name: string | null
  /** Who has it, in words; null when it is free. */
  reason: Message | null
}

export interface CidrPlan {
  prefix: number
  /** What is taken when nobody chooses; null when there is no room. */
  auto: string | null
  suggestions: Suggestion[]
  /** What is there of the same kind. */
  used: string[]
  /**
   * The whole space in the order of addresses; what does not fit into the answer is left out at the
   * end.
   */
  map: MapBlock[]
}

const mostFree = 8
const mostTold = 12
const mostMapped = 512

/**
 * Free blocks inside a VPC, behind the last network first and then from the beginning, so that what
 * was just given back rests for a while.
 */
export function planNetworks({
  space,
  taken,
  prefix,
}: {
  space: Block
  taken: readonly Taken[]
  prefix: number
}): CidrPlan {
  const ordered = inOrder(taken.filter((each) => blocks.overlap(each, space)))
  const last = ordered.findLast(({ by }) => by === 'network')?.last ?? space.first - 1n
  const from = last < space.last ? last + 1n : space.first
  const ahead = look({ space, prefix, ordered, from }, mostFree)
  const behind = look(
    { space, prefix, ordered, from: space.first, until: from },
    mostFree - ahead.filter(isFree).length,
  )
  return planFrom({ prefix, spaces: [space], ordered, taken, kind: 'network' }, [
    ...ahead,
    ...behind,
  ])
}

/**
 * How many free blocks each private range gives to the suggestions, and the size that it is cut
 * into there.
 */
interface Shelf {
  space: Block
  share: number
  prefix: number
}

/** Free blocks for a VPC, of all ranges that are private. */
export function planVpcs({
  shelves,
  taken,
}: {
  shelves: readonly Shelf[]
  taken: readonly Taken[]
}): CidrPlan {
  const ordered = inOrder(taken)
  const looked = shelves.flatMap(({ space, share, prefix }) =>
    look({ space, prefix, ordered, from: space.first }, share),
  )
  const prefix = shelves[0]?.prefix ?? 0
  return planFrom(
    { prefix, spaces: shelves.map(({ space }) => space), ordered, taken, kind: 'vpc' },
    looked,
  )
}

/** A block that was looked at, and where. */
interface Looked {
  block: Block
  hindrance: Taken | null
  space: Block
}

const isFree = ({ hindrance }: Looked): boolean => hindrance === null

interface Looking {
  space: Block
  prefix: number
  ordered: readonly Taken[]
  from: bigint
  /** Where looking ends, unless the space ends before. */
  until?: bigint
}

/** So many free blocks, and the first of the refused ones that were passed on the way. */
function look(
  { space, prefix, ordered, from, until = space.last + 1n }: Looking,
  most: number,
): Looked[] {
  const free: Looked[] = []
  const refused: Looked[] = []
  if (most === 0) return []
  for (const { block, hindrance } of walkBlocks({ space, prefix, taken: ordered, from })) {
    if (block.first >= until) break
    const looked = { block, hindrance, space }
    if (hindrance === null) free.push(looked)
    else if (refused.length < mostTold) refused.push(looked)
    if (free.length === most) break
  }
  return [...free, ...refused]
}

function suggestionOf({ block, hindrance, space }: Looked, ordered: readonly Taken[]): Suggestion {
  return {
    cidr: blocks.text(block),
    available: hindrance === null,
    reason:
      hindrance &&
      messageOf('network.taken', {
        whose: takerOf(hindrance),
        cidr: blocks.text(hindrance),
      }),
    conflictsWith: hindrance && blocks.text(hindrance),
    addresses: blocks.size(block),
    roomToGrow: hindrance ? null : blocks.text(roomAround(block, space, ordered)),
  }
}

/** Who has the addresses, as part of a sentence. */
export function takerOf({ by, name }: Pick<Taken, 'by' | 'name'>): Message {
  return takerMessages[by](name ?? '')
}

const takerMessages: Readonly<Record<Taker, (name: string) => Message>> = {
  vpc: (name) => messageOf('network.taker.vpc', { name }),
  network: (name) => messageOf('network.taker.network', { name }),
  public: () => messageOf('network.taker.public'),
  pods: () => messageOf('network.taker.pods'),
  services: () => messageOf('network.taker.services'),
  nodes: () => messageOf('network.taker.nodes'),
  guests: () => messageOf('network.taker.guests'),
}

interface Planned {
  prefix: number
  spaces: readonly Block[]
  ordered: readonly Taken[]
  taken: readonly Taken[]
  kind: Taker
}

function planFrom(
  { prefix, spaces, ordered, taken, kind }: Planned,
  looked: readonly Looked[],
): CidrPlan {
  const free = looked.filter(isFree).slice(0, mostFree)
  const refused = looked.filter((each) => !isFree(each)).slice(0, mostTold - free.length)
  const suggestions = [...free, ...refused].map((each) => suggestionOf(each, ordered))
  return {
    prefix,
    auto: free.length > 0 ? (suggestions[0]?.cidr ?? null) : null,
    suggestions,
    used: taken.filter(({ by }) => by === kind).map(blocks.text),
    map: spaces.flatMap((space) => mapOf(space, ordered)).slice(0, mostMapped),
  }
}

function mapOf(space: Block, ordered: readonly Taken[]): MapBlock[] {
  const there = ordered.filter((each) => blocks.overlap(each, space)).slice(0, mostMapped)
  const mapped: (Omit<MapBlock, 'cidr'> & { block: Block })[] = there.map((block) => ({
    block,
    ...usedBy(block),
  }))
  for (const block of freeBlocks(space, there)) {
    if (mapped.length === there.length + mostMapped) break
    mapped.push({ block, state: 'free', name: null, reason: null })
  }
  return mapped
    .toSorted((a, b) => (a.block.first < b.block.first ? -1 : 1))
    .slice(0, mostMapped)
    .map(({ block, ...rest }) => ({ cidr: blocks.text(block), ...rest }))
}

const usedBy = ({ by, name }: Taken): Omit<MapBlock, 'cidr'> => ({
  state: by === 'network' || by === 'vpc' ? 'used' : 'reserved',
  name,
  reason: takerOf({ by, name }),
})
