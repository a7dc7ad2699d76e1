import type { Cell } from './address-cells.ts'

const seriesCount = 6

/** The colour of whoever is at this place in the list of those who have addresses. */
export const seriesAt = (at: number): string => `var(--tone-series-${(at % seriesCount) + 1})`

/** A square in the colour of who has it; half of it where that is only a part. */
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
