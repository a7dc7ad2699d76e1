import { type Block, blockAt, blocks } from './block.ts'

/**
 * In the order of their addresses and without what lies inside another: whoever walks along them
 * passes each once.
 */
export function inOrder<B extends Block>(taken: readonly B[]): B[] {
  const apart: B[] = []
  for (const block of taken.toSorted(
    (a, b) => compare(a.first, b.first) || compare(b.last, a.last),
  ))
    if (block.last > (apart.at(-1)?.last ?? -1n)) apart.push(block)
  return apart
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b))

/** A block that was looked at, and what stands in its way. */
export interface LookedAt<B> {
  block: Block
  hindrance: B | null
}

interface Walk<B> {
  space: Block
  prefix: number
  /** In order. */
  taken: readonly B[]
  /** The block that holds this address is the first. */
  from: bigint
}

/**
 * The blocks of the size from there to the end of the space. Of those that one thing stands in the
 * way of only the first is told: the steps are as many as the things and the free blocks that
 * somebody takes, however many addresses there are.
 */
export function* walkBlocks<B extends Block>({
  space,
  prefix,
  taken,
  from,
}: Walk<B>): Generator<LookedAt<B>> {
  const size = { family: space.family, prefix }
  let block = blockAt(from, size)
  for (
    let next = indexAt(taken, block.first);
    block.first >= space.first && block.last <= space.last;
  ) {
    const candidate = taken[next]
    const hindrance = candidate && blocks.overlap(candidate, block) ? candidate : null
    yield { block, hindrance }
    const end =
      hindrance && hindrance.last > block.last ? blockAt(hindrance.last, size).last : block.last
    block = blockAt(end + 1n, size)
    while ((taken[next]?.last ?? block.first) < block.first) next++
  }
}

/** Of the things the first that ends at or behind the address. */
function indexAt(taken: readonly Block[], address: bigint): number {
  let [low, high] = [0, taken.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((taken[middle]?.last ?? address) < address) low = middle + 1
    else high = middle
  }
  return low
}

/** The largest block of the space that holds this free one and nothing that is taken. */
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

/** What is left between the things, in blocks as large as can be. */
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
