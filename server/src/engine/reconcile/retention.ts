import { type Clock } from '../../runtime/clock.ts'

interface RetentionParts {
  /**
   * Deletes one batch and returns the number of deleted rows. The caller's leadership fences it.
   */
  readonly sweep: (batch: number) => Promise<number>
  readonly clock: Clock
  readonly everyMs?: number
  readonly batch?: number
}

/** Deletes expired rows in small batches until the signal. Runs as a leader task. */
export async function sweepUntilStopped(
  { sweep, clock, everyMs = 60_000, batch = 1_000 }: RetentionParts,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const deleted = await sweep(batch)
    await clock.sleep(deleted === batch ? 50 : everyMs, signal)
  }
}
