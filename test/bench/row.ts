import { type World } from './product/world.ts'

/** The cost of one request, event or mutation on one side. */
export interface Side {
  p50Ms?: number
  p99Ms?: number
  perSecond?: number
  cpuMs?: number
}

/** One line of the table. */
export interface Row {
  name: string
  berth: Side
  limit?: Side
  /**
   * The number that the target limits: the median of the repetitions. `spread` has the extremes.
   */
  value: number
  spread?: [least: number, most: number]
  /** The unit of `value`. */
  unit: '×' | 's' | 'ms' | 'MB' | 'kB' | '/s' | 'calls' | 'rows'
  /** The CPU of Berth divided by the CPU of the limit program. */
  cpuRatio?: number
  target?: { atLeast: number } | { atMost: number }
}

/** Measures one or several rows. `--only` selects by `name`. */
export interface Bench {
  name: string
  run(world: World): Promise<Row[]>
}

export function isMet({ value, target }: Row): boolean | null {
  if (!target) return null
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}
