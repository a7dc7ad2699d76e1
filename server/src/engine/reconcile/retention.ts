import { type Clock } from '../../runtime/clock.ts'

interface RetentionParts {
  /** Deletes one batch and answers how many rows went; fenced by the caller's leadership. */
  readonly sweep: (batch: number) => Promise<number>
  readonly clock: Clock
  readonly everyMs?: number
  readonly batch?: number
}

/**
 * Deletes in small batches what is older than its keep, again and again until the signal. A leader
 * task.
 */
export async function sweepUntilStopped(
  { sweep, clock, everyMs = 60_000, batch = 1_000 }: RetentionParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const gone = await sweep(batch)
    await clock.sleep(gone === batch ? 50 : everyMs, signal)
  }
}
