import { type Json } from '../../objects/types.ts'

const context = 3

/**
 * Returns the difference between two values as a unified diff of their JSON, which is indented by
 * one space. Each change has three lines of context.
 */
export function changedLines(before: Json, after: Json): string {
  const [old, next] = [linesOf(before), linesOf(after)]
  const edits = editsBetween(old, next)
  return hunksOf(edits)
    .map(
      (hunk) =>
        `${headOf(edits, hunk)}\n${edits
          .slice(hunk.from, hunk.to)
          .map(({ sign, line }) => `${sign}${line}\n`)
          .join('')}`,
    )
    .join('')
}

const linesOf = (value: Json): string[] => JSON.stringify(value, null, 1).split('\n')

interface Edit {
  sign: ' ' | '-' | '+'
  line: string
}

/** Returns the shortest edit script. Removals come before additions. */
function editsBetween(old: readonly string[], next: readonly string[]): Edit[] {
  const common = commonLengths(old, next)
  const edits: Edit[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < next.length) {
    const [gone, added] = [old[i], next[j]]
    if (gone !== undefined && gone === added) {
      edits.push({ sign: ' ', line: gone })
      i += 1
      j += 1
    } else if (
      gone !== undefined &&
      (added === undefined || lengthAt(common, i + 1, j) >= lengthAt(common, i, j + 1))
    ) {
      edits.push({ sign: '-', line: gone })
      i += 1
    } else {
      edits.push({ sign: '+', line: added ?? '' })
      j += 1
    }
  }
  return edits
}

const lengthAt = (table: readonly number[][], i: number, j: number): number => table[i]?.[j] ?? 0

/** The length of the longest common subsequence of the lines from each pair of indexes on. */
function commonLengths(old: readonly string[], next: readonly string[]): number[][] {
  const table = old.map(() => next.map(() => 0))
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = next.length - 1; j >= 0; j -= 1) {
      const best = Math.max(lengthAt(table, i + 1, j), lengthAt(table, i, j + 1))
      const row = table[i]
      if (row) row[j] = old[i] === next[j] ? lengthAt(table, i + 1, j + 1) + 1 : best
    }
  }
  return table
}

interface Hunk {
  from: number
  to: number
}

function hunksOf(edits: readonly Edit[]): Hunk[] {
  const hunks: Hunk[] = []
  for (const [at, { sign }] of edits.entries()) {
    if (sign === ' ') continue
    const hunk = { from: Math.max(0, at - context), to: Math.min(edits.length, at + context + 1) }
    const last = hunks.at(-1)
    if (last && last.to >= hunk.from) last.to = hunk.to
    else hunks.push(hunk)
  }
  return hunks
}

function headOf(edits: readonly Edit[], { from, to }: Hunk): string {
  const count = (part: readonly Edit[], without: Edit['sign']): number =>
    part.filter(({ sign }) => sign !== without).length
  const [ahead, inside] = [edits.slice(0, from), edits.slice(from, to)]
  return `@@ -${count(ahead, '+') + 1},${count(inside, '+')} +${count(ahead, '-') + 1},${count(inside, '-')} @@`
}
