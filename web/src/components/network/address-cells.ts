import { type AddressBlock, blockFromText, blocks } from '../../format/address.ts'
import { t } from '../../i18n/t.ts'

/** A block of the space as the server reports it. */
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
  /** Why the block is not available; null when it is free. */
  reason: string | null
  /** The name of the network that uses it, or of the first that uses a part of it. */
  holder: string | null
}

/** A map shows at most 2^8 = 256 squares, which a user can still distinguish. */
export const bitsShown = 8

/**
 * Divides a space into squares of the prefix's size. When that would be more than 256, the squares
 * are larger.
 */
export function cellsOf(space: AddressBlock, prefix: number, map: readonly MapBlock[]): Cell[] {
  const shown = Math.max(space.prefix, Math.min(prefix, space.prefix + bitsShown))
  const inside = map.flatMap((each) => {
    const block = blockFromText(each.cidr)
    return block && blocks.overlap(block, space) ? [{ ...each, reason: each.reason, block }] : []
  })
  return Array.from({ length: 2 ** (shown - space.prefix) }, (_, at) => {
    const cell = { prefix: shown, first: space.first + at * 2 ** (32 - shown) }
    return {
      cidr: blocks.text(cell),
      ...stateOf(
        cell,
        inside.filter(({ block }) => blocks.overlap(block, cell)),
      ),
    }
  })
}

type ParsedBlock = MapBlock & { block: AddressBlock }

function stateOf(cell: AddressBlock, inside: readonly ParsedBlock[]): Omit<Cell, 'cidr'> {
  const taken = inside.filter(({ state }) => state !== 'free')
  const whole = taken.find(({ block }) => blocks.holds(block, cell))
  if (whole) return { state: whole.state, reason: whole.reason, holder: whole.name }
  if (taken.length > 0)
    return { state: 'partly', reason: reasonOf(taken), holder: taken[0]?.name ?? null }
  const covered = inside.reduce(
    (sum, { block }) => sum + Math.min(blocks.size(block), blocks.size(cell)),
    0,
  )
  if (covered < blocks.size(cell))
    return { state: 'unknown', reason: t('beyond what the map shows'), holder: null }
  return { state: 'free', reason: null, holder: null }
}

function reasonOf(taken: readonly ParsedBlock[]): string {
  const [first, ...more] = taken
  if (!first) return t('taken')
  const { cidr, reason } = first
  const slots = { reason: reason ?? t('taken'), cidr }
  return more.length > 0
    ? t('partly {reason} ({cidr}), and {n} more', { ...slots, n: more.length })
    : t('partly {reason} ({cidr})', slots)
}

/** Returns the free share of the space, 0 to 1. */
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
