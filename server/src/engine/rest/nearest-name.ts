/**
 * Returns the known name that a misspelt name most likely means, or null when none resembles it.
 * Case and separators do not count, so that `memoryMi` finds `memory_mi`.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  let nearest: string | null = null
  let least = Infinity
  for (const candidate of known) {
    const distance = distanceBetween(plain(name), plain(candidate))
    if (distance < least) [nearest, least] = [candidate, distance]
  }
  const length = Math.max(name.length, nearest?.length ?? 0)
  return name.length <= maxLength && least <= length / 2 ? nearest : null
}

/** Longer names resemble no field, and comparing them would cost time. */
const maxLength = 50

const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '')

/** The number of characters to insert, remove, replace or swap with a neighbour. */
function distanceBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, at) => at)]
  const cost = (row: number, at: number): number => rows[row]?.[at] ?? Infinity
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    rows.push(current)
    for (let at = 1; at <= to.length; at++) {
      const isSame = from[row - 1] === to[at - 1]
      const isSwapped = from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1]
      current[at] = Math.min(
        cost(row - 1, at) + 1,
        cost(row, at - 1) + 1,
        cost(row - 1, at - 1) + (isSame ? 0 : 1),
        isSwapped ? cost(row - 2, at - 2) + 1 : Infinity,
      )
    }
  }
  return cost(from.length, to.length)
}
