import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { onSubject } from '../../runtime/failpoint.ts'
import { type Log } from '../../runtime/log.ts'
import { type Lease, LeaseLost } from './work-lease.ts'
import { type Work } from './work.ts'
import { outageIn } from './outage.ts'
import { type Outcome, type Reconciler, defaults } from './reconciler.ts'

export interface RunParts {
  readonly work: Work
  readonly clock: Clock
  readonly log: Log
  readonly leaseMs: number
  /** Aborts when the worker has waited long enough for its runs to end. */
  readonly stopping: AbortSignal
}

const backoff = { firstMs: 5, capMs: 300_000 }

class RunTooLong extends Error {
  constructor(maxRunMs: number) {
    super(`the run did not end within ${maxRunMs} ms`)
    this.name = 'RunTooLong'
  }
}

/**
 * One run of one key, from claim to verdict; says whether the key may be due again at once. Never
 * rejects: what cannot be written is left to the end of the lease.
 */
export async function runOnce(
  parts: RunParts,
  reconciler: Reconciler,
  lease: Lease,
): Promise<boolean> {
  const { work, log } = parts
  const maxAttempts = reconciler.maxAttempts ?? defaults.maxAttempts
  try {
    // Only a run that took its process down leaves an attempt beyond the limit.
    if (lease.attempts > maxAttempts)
      await giveUp(parts, reconciler, { lease, error: 'earlier runs ended without an answer' })
    else {
      const outcome = await guarded(parts, reconciler, lease)
      if (outcome !== 'released') return await work.finish(lease, outcome)
      await work.release(lease)
    }
  } catch (error) {
    await settleFailure(parts, reconciler, { lease, error }).catch((cause: unknown) =>
      log.warn('a run could not be settled; its lease will lapse', {
        kind: lease.kind,
        id: lease.objectId,
        error: cause,
      }),
    )
  }
  return true
}

/**
 * The run beside its heartbeat and its time limit. After an abort nobody waits for it: its writes
 * are fenced.
 */
async function guarded(
  parts: RunParts,
  reconciler: Reconciler,
  lease: Lease,
): Promise<Outcome | 'released'> {
  const maxRunMs = reconciler.maxRunMs ?? defaults.maxRunMs
  const ended = new AbortController()
  const lost = new AbortController()
  const heartbeat = beat(parts, lease, lost)
  const signal = AbortSignal.any([lost.signal, ended.signal, parts.stopping])
  const run = onSubject(lease.objectId, () => reconciler.reconcile(lease, lease, signal))
  const limit = parts.clock.sleep(maxRunMs, ended.signal).then((): never => {
    throw new RunTooLong(maxRunMs)
  })
  limit.catch(() => undefined)
  try {
    return await Promise.race([
      run,
      limit,
      aborted(lost.signal, new LeaseLost(lease)),
      released(parts, ended.signal),
    ])
  } finally {
    // Whatever the run does after its verdict is nobody's business any more, least of all an
    // unhandled rejection.
    run.catch(() => undefined)
    ended.abort('ended')
    await heartbeat.stop()
  }
}

/**
 * A heartbeat that fails is no loss by itself; a lease that was not renewed for its whole term is.
 */
function beat(
  { work, clock, leaseMs }: RunParts,
  lease: Lease,
  lost: AbortController,
): { stop(): Promise<void> } {
  let renewedAt = clock.elapsedMs()
  return clock.every(leaseMs / 3, async () => {
    const askedAt = clock.elapsedMs()
    const held = await work.renew(lease).catch(() => null)
    if (held) renewedAt = askedAt
    if (held === false || clock.elapsedMs() - renewedAt > leaseMs) lost.abort()
  })
}

function aborted(signal: AbortSignal, error: Error): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(error), { once: true }),
  )
}

/** A moment after the stop signal, so that a run which obeys it can still give its own answer. */
function released({ stopping, clock }: RunParts, ended: AbortSignal): Promise<'released'> {
  return new Promise((resolve) => {
    const give = (): void => void clock.sleep(500).then(() => resolve('released'))
    if (stopping.aborted) give()
    else stopping.addEventListener('abort', give, { once: true, signal: ended })
  })
}

async function settleFailure(
  parts: RunParts,
  reconciler: Reconciler,
  { lease, error }: { lease: Lease; error: unknown },
): Promise<void> {
  const { work, log, stopping } = parts
  const fields = { kind: lease.kind, id: lease.objectId, attempts: lease.attempts }
  if (error instanceof LeaseLost) return log.info('a lease was lost', fields)
  if (stopping.aborted) return work.release(lease)
  const maxAttempts = reconciler.maxAttempts ?? defaults.maxAttempts
  const text = error instanceof Error ? error.message : String(error)
  const outage = outageIn(error)
  if (!outage && lease.attempts >= maxAttempts)
    return giveUp(parts, reconciler, { lease, error: text })
  log.warn('a run failed', { ...fields, error })
  await work.fail(lease, {
    error: text,
    delayMs: Math.max(outage?.waitMs ?? 0, backoffMs(lease.attempts, backoff)),
    attempts: outage ? Math.min(lease.attempts, Math.ceil(maxAttempts / 2)) : lease.attempts,
  })
}

async function giveUp(
  { work, log }: RunParts,
  reconciler: Reconciler,
  { lease, error }: { lease: Lease; error: string },
): Promise<void> {
  log.error('a key is given up', {
    kind: lease.kind,
    id: lease.objectId,
    attempts: lease.attempts,
    reason: error,
  })
  await reconciler.gaveUp?.(lease, lease, error).catch((cause: unknown) =>
    log.error('the last word on a key failed', {
      kind: lease.kind,
      id: lease.objectId,
      error: cause,
    }),
  )
  await work.poison(lease, error)
}
