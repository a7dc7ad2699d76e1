import { type AddressBlock, blockFromText, blocks } from '../../format/address.ts'
import { t } from '../../words/t.ts'

/** A stretch of a space as the server tells it. */
export interface MapBlock {
  cidr: string
  state: 'free' | 'used' | 'reserved'
  name: string | null
  reason: string | null
}

export type CellState = MapBlock['state'] | 'partly' | 'unknown'

/** One square of the map. */
export interface Cell {
  cidr: string
  state: CellState
  /** Why it cannot be taken as it is; null when it is free. */
  reason: string | null
  /** Of what has it, or the first that has a part of it. */
  holder: string | null
}

/** How many bits of the space one map shows: 256 squares can still be told apart. */
export const bitsShown = 8

/**
 * The squares of a space, each as large as what is wanted, or as many of those as make the map
 * readable.
 */
export function cellsOf(space: AddressBlock, prefix: number, map: readonly MapBlock[]): Cell[] {
  const shown = Math.max(space.prefix, Math.min(prefix, space.prefix + bitsShown))
  const there = map.flatMap((each) => {
    const block = blockFromText(each.cidr)
    return block && blocks.overlap(block, space) ? [{ ...each, reason: each.reason, block }] : []
  })
  return Array.from({ length: 2 ** (shown - space.prefix) }, (_, at) => {
    const cell = { prefix: shown, first: space.first + at * 2 ** (32 - shown) }
    return {
      cidr: blocks.text(cell),
      ...lookOf(
        cell,
        there.filter(({ block }) => blocks.overlap(block, cell)),
      ),
    }
  })
}

type There = MapBlock & { block: AddressBlock }

function lookOf(cell: AddressBlock, there: readonly There[]): Omit<Cell, 'cidr'> {
  const taken = there.filter(({ state }) => state !== 'free')
  const whole = taken.find(({ block }) => blocks.holds(block, cell))
  if (whole) return { state: whole.state, reason: whole.reason, holder: whole.name }
  if (taken.length > 0)
    return { state: 'partly', reason: reasonOf(taken), holder: taken[0]?.name ?? null }
  const covered = there.reduce(
    (sum, { block }) => sum + Math.min(blocks.size(block), blocks.size(cell)),
    0,
  )
  if (covered < blocks.size(cell))
    return { state: 'unknown', reason: t('beyond what the map shows'), holder: null }
  return { state: 'free', reason: null, holder: null }
}

function reasonOf(taken: readonly There[]): string {
  const [first, ...more] = taken
  if (!first) return t('taken')
  const { cidr, reason } = first
  const slots = { reason: reason ?? t('taken'), cidr }
  return more.length > 0
    ? t('partly {reason} ({cidr}), and {n} more', { ...slots, n: more.length })
    : t('partly {reason} ({cidr})', slots)
}

/** How much of the space nobody has, 0 to 1. */
export function shareFree(space: AddressBlock, map: readonly MapBlock[]): number {
  const free = map
    .filter(({ state }) => state === 'free')
    .flatMap(({ cidr }) => blockFromText(cidr) ?? [])
  return (
    free
      .filter((block) => blocks.holds(space, block))
      .reduce((sum, block) => sum + blocks.size(block), 0) / blocks.size(space)
  )
}
