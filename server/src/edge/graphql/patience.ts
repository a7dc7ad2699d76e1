import { Fault } from '../../engine/model/fault.ts'
import { type Clock } from '../../runtime/clock.ts'

interface PatientContext {
  clock: Pick<Clock, 'elapsedMs' | 'sleep'>
  /** How long a transient refusal is waited for; 0 answers with the refusal. */
  patienceSeconds: number
  isGone: () => boolean
}

const firstDelayMs = 100
const longestDelayMs = 500

/**
 * Runs a write, and repeats it while its refusal is transient: an object is being created, changed
 * or deleted. It polls, because some obstacles end without a change in the log. No transaction is
 * held in between.
 */
export async function writePatiently<T>(
  { clock, patienceSeconds, isGone }: PatientContext,
  write: () => Promise<T>,
): Promise<T> {
  const endMs = clock.elapsedMs() + patienceSeconds * 1000
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(2 * delayMs, longestDelayMs)) {
    try {
      return await write()
    } catch (error) {
      const isTransient = error instanceof Fault && error.isTransient
      if (!isTransient || isGone() || clock.elapsedMs() >= endMs) throw error
    }
    await clock.sleep(Math.min(delayMs, endMs - clock.elapsedMs()))
  }
}
