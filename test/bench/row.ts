import { type World } from './product/world.ts'

/** What one side did for one request, event or mutation. */
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
  /** What the target is about; the middle one of the repetitions, with the extremes. */
  value: number
  spread?: [least: number, most: number]
  /** How `value` is told. */
  unit: '×' | 's' | 'ms' | 'MB' | 'kB' | '/s' | 'calls' | 'rows'
  /** CPU of Berth against CPU of the limit program. */
  cpuRatio?: number
  target?: { atLeast: number } | { atMost: number }
}

/** Measures one or several rows; `--only` selects by the name. */
export interface Bench {
  name: string
  run(world: World): Promise<Row[]>
}

export function isMet({ value, target }: Row): boolean | null {
  if (!target) return null
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost
}
