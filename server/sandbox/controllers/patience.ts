import { clock } from '../clock.ts'
import { type Step } from '../pace.ts'
import { type Desk, type World } from './desk.ts'

const dues = new WeakMap<World, Map<string, number>>()

/**
 * How long a step of an object still takes; 0 once when it is over. Nothing of it is stored: a cluster that was killed takes the step again from
 * its start, as a restarted component does.
 */
export function remainingMs(desk: Desk, step: Step, what: string): number {
  const known = dues.get(desk.world) ?? new Map<string, number>()
  dues.set(desk.world, known)
  const key = `${step} ${what}`
  const dueMs = known.get(key)
  if (dueMs === undefined) {
    const ms = desk.world.pace.msOf(step)
    known.set(key, clock.nowMs() + ms)
    return Math.max(1, ms)
  }
  const leftMs = dueMs - clock.nowMs()
  if (leftMs > 0) return leftMs
  known.delete(key)
  return 0
}
