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
  /** Aborts when the worker's grace period for active runs is over. */
  readonly stopping: AbortSignal
}

const backoff = { firstMs: 5, capMs: 300_000 }

class RunTooLong extends Error {
  constructor(maxRunMs: number) {
    super(`the reconcile did not end within ${maxRunMs} ms`)
    this.name = 'RunTooLong'
  }
}

/**
 * Reconciles the object of one work key, from claim to result. Returns true when the key may be due
 * again at once. It never rejects: a result that cannot be written leaves the key to the end of its
 * lease.
 */
export async function runOnce(
  parts: RunParts,
  reconciler: Reconciler,
  lease: Lease,
): Promise<boolean> {
  const { work, log } = parts
  const maxAttempts = reconciler.maxAttempts ?? defaults.maxAttempts
  try {
    // An attempt beyond the limit exists only when earlier runs took their process down.
    if (lease.attempts > maxAttempts)
      await giveUp(parts, reconciler, { lease, error: 'earlier runs ended without a result' })
    else {
      const outcome = await runWithLimits(parts, reconciler, lease)
      if (outcome !== 'released') return await work.finish(lease, outcome)
      await work.release(lease)
    }
  } catch (error) {
    await settleFailure(parts, reconciler, { lease, error }).catch((cause: unknown) =>
      log.warn('reconcile.failure_not_recorded', {
        kind: lease.kind,
        id: lease.objectId,
        error: cause,
        effect: 'a worker reconciles the key again when its lease has expired',
        remedy: 'none, unless it repeats: check PostgreSQL',
      }),
    )
  }
  return true
}

/**
 * Runs the reconciler beside its heartbeat and its time limit. After an abort the run is not
 * awaited; its writes are fenced.
 */
async function runWithLimits(
  parts: RunParts,
  reconciler: Reconciler,
  lease: Lease,
): Promise<Outcome | 'released'> {
  const maxRunMs = reconciler.maxRunMs ?? defaults.maxRunMs
  const ended = new AbortController()
  const lost = new AbortController()
  const heartbeat = renewRegularly(parts, lease, lost)
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
    // The run may fail after the result; that must not become an unhandled rejection.
    run.catch(() => undefined)
    ended.abort('ended')
    await heartbeat.stop()
  }
}

/** Renews the lease. One failed renewal is no loss; a whole term without renewal is. */
function renewRegularly(
  { work, clock, leaseMs }: RunParts,
  lease: Lease,
  lost: AbortController,
): { stop(): Promise<void> } {
  let renewedAt = clock.elapsedMs()
  return clock.every(leaseMs / 3, async () => {
    const sentAt = clock.elapsedMs()
    const isHeld = await work.renew(lease).catch(() => null)
    if (isHeld) renewedAt = sentAt
    if (isHeld === false || clock.elapsedMs() - renewedAt > leaseMs) lost.abort()
  })
}

function aborted(signal: AbortSignal, error: Error): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(error), { once: true }),
  )
}

/**
 * Resolves shortly after the stop signal, so that a run which obeys the signal can still return its
 * own result.
 */
function released({ stopping, clock }: RunParts, ended: AbortSignal): Promise<'released'> {
  return new Promise((resolve) => {
    const release = (): void => void clock.sleep(500).then(() => resolve('released'))
    if (stopping.aborted) release()
    else stopping.addEventListener('abort', release, { once: true, signal: ended })
  })
}

async function settleFailure(
  parts: RunParts,
  reconciler: Reconciler,
  { lease, error }: { lease: Lease; error: unknown },
): Promise<void> {
  const { work, log, stopping } = parts
  const fields = { kind: lease.kind, id: lease.objectId, attempts: lease.attempts }
  if (error instanceof LeaseLost) {
    const effect = 'later writes of this run are refused; a worker reconciles the object again'
    return log.info('reconcile.lease_lost', { ...fields, effect })
  }
  if (stopping.aborted) return work.release(lease)
  const maxAttempts = reconciler.maxAttempts ?? defaults.maxAttempts
  const text = error instanceof Error ? error.message : String(error)
  const outage = outageIn(error)
  if (!outage && lease.attempts >= maxAttempts)
    return giveUp(parts, reconciler, { lease, error: text })
  const retryInMs = Math.max(outage?.waitMs ?? 0, backoffMs(lease.attempts, backoff))
  log.warn('reconcile.run_failed', {
    ...fields,
    error,
    retryInMs,
    effect: 'the object does not reach its desired state yet; Berth tries again',
    remedy: remedyOf(maxAttempts),
  })
  await work.fail(lease, {
    error: text,
    delayMs: retryInMs,
    attempts: outage ? Math.min(lease.attempts, Math.ceil(maxAttempts / 2)) : lease.attempts,
  })
}

const remedyOf = (maxAttempts: number): string =>
  maxAttempts === Infinity
    ? 'none, unless it repeats: read the error'
    : `none, unless it repeats: read the error; only an outage is tried more than ${maxAttempts} times`

async function giveUp(
  { work, log }: RunParts,
  reconciler: Reconciler,
  { lease, error }: { lease: Lease; error: string },
): Promise<void> {
  log.error('reconcile.key_given_up', {
    kind: lease.kind,
    id: lease.objectId,
    attempts: lease.attempts,
    reason: error,
    effect:
      'an open operation of the object fails; Berth leaves the object alone until a request begins another operation for it',
    remedy: 'fix the reported reason, and repeat the request',
  })
  await reconciler.gaveUp?.(lease, lease, error).catch((cause: unknown) =>
    log.error('reconcile.give_up_not_recorded', {
      kind: lease.kind,
      id: lease.objectId,
      error: cause,
      effect: 'the operation stays open until its deadline',
      remedy: 'none, unless it repeats: check PostgreSQL',
    }),
  )
  await work.poison(lease, error)
}
