import type { Cell } from './address-cells.ts'

const seriesCount = 6

/** Returns the colour of the network at this index in the list of networks. */
export const seriesAt = (at: number): string => `var(--tone-series-${(at % seriesCount) + 1})`

/** Paints a square in the colour of its network. A partly used square is painted by half. */
export function paintOf(
  { holder, state }: Cell,
  holders: readonly string[],
): { background: string } | undefined {
  if (holder === null) return undefined
  const colour = seriesAt(holders.indexOf(holder))
  return {
    background:
      state === 'partly' ? `linear-gradient(135deg, ${colour} 50%, transparent 50%)` : colour,
  }
}
