import { type Block, blockAt, blocks } from './block.ts'

/*
 * Searches the free blocks of an address space, for the plans of VPCs and networks.
 */

/**
 * Sorts blocks by address and removes those inside another block, so that a walk passes each
 * address once.
 */
export function sortedDisjoint<B extends Block>(taken: readonly B[]): B[] {
  const apart: B[] = []
  for (const block of taken.toSorted(
    (a, b) => compare(a.first, b.first) || compare(b.last, a.last),
  ))
    if (block.last > (apart.at(-1)?.last ?? -1n)) apart.push(block)
  return apart
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b))

/** A checked block and the taken block that conflicts with it. */
export interface CheckedBlock<B> {
  block: Block
  conflict: B | null
}

interface WalkRequest<B> {
  space: Block
  prefix: number
  /** Sorted by address. */
  taken: readonly B[]
  /** The walk starts with the block that contains this address. */
  from: bigint
}

/**
 * Yields the blocks of the requested size from `from` to the end of the space. Only the first of
 * several blocks that conflict with the same taken block is yielded. The number of steps depends on
 * the taken blocks and the consumed free blocks, not on the number of addresses.
 */
export function* walkBlocks<B extends Block>({
  space,
  prefix,
  taken,
  from,
}: WalkRequest<B>): Generator<CheckedBlock<B>> {
  const size = { family: space.family, prefix }
  let block = blockAt(from, size)
  for (
    let next = indexAt(taken, block.first);
    block.first >= space.first && block.last <= space.last;
  ) {
    const candidate = taken[next]
    const hindrance = candidate && blocks.overlap(candidate, block) ? candidate : null
    yield { block, conflict: hindrance }
    const end =
      hindrance && hindrance.last > block.last ? blockAt(hindrance.last, size).last : block.last
    block = blockAt(end + 1n, size)
    while ((taken[next]?.last ?? block.first) < block.first) next++
  }
}

/** Returns the index of the first taken block that ends at or after the address. */
function indexAt(taken: readonly Block[], address: bigint): number {
  let [low, high] = [0, taken.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((taken[middle]?.last ?? address) < address) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the largest free block of the space around the given free block. */
export function roomAround(block: Block, space: Block, taken: readonly Block[]): Block {
  const next = indexAt(taken, block.first)
  const least = (taken[next - 1]?.last ?? -1n) + 1n
  const most = taken[next] ? taken[next].first - 1n : space.last
  let room = block
  while (room.prefix > space.prefix) {
    const larger = blockAt(room.first, { family: room.family, prefix: room.prefix - 1 })
    if (larger.first < least || larger.last > most) break
    room = larger
  }
  return room
}

/** Yields the space between taken blocks, in blocks as large as possible. */
export function* freeBlocks(space: Block, taken: readonly Block[]): Generator<Block> {
  const end = { first: space.last + 1n, last: space.last }
  let from = space.first
  for (const { first, last } of [...taken, end]) {
    while (from < first && from <= space.last) {
      const block = largestAt(from, first <= space.last ? first - 1n : space.last, space)
      yield block
      from = block.last + 1n
    }
    if (last >= from) from = last + 1n
  }
}

function largestAt(from: bigint, end: bigint, { family, prefix: largest }: Block): Block {
  let block = blockAt(from, { family, prefix: largest })
  while (block.first < from || block.last > end)
    block = blockAt(from, { family, prefix: block.prefix + 1 })
  return block
}
