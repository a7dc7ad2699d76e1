import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Lease } from './work-lease.ts'
import { type Work } from './work.ts'
import { type Reconciler } from './reconciler.ts'
import { runOnce } from './run.ts'

export interface ReconcileLoop {
  /** Claims due keys now. Called when the doorbell rings. */
  notify(): void
  /** The number of active runs. */
  running(): number
  /** Stops claiming, waits for the active runs, then hands back the rest. Safe to call twice. */
  stop(graceMs?: number): Promise<void>
}

interface LoopParts {
  readonly work: Work
  readonly reconcilers: Readonly<Record<string, Reconciler>>
  readonly clock: Clock
  readonly log: Log
  readonly concurrency?: number
  /** The length of the leases that `work` grants. */
  readonly leaseMs?: number
  readonly pollMs?: number
}

/**
 * Claims due work keys and runs their reconcilers with a concurrency limit. The lease ensures that
 * one key never runs twice at once. One tenant can use at most three quarters of the slots, so its
 * slow steps do not block other tenants.
 */
export function startReconcileLoop({
  concurrency = 16,
  leaseMs = 10_000,
  pollMs = 500,
  ...parts
}: LoopParts): ReconcileLoop {
  const { clock } = parts
  const slots = new Slots(concurrency)
  const stopClaiming = new AbortController()
  const stopping = new AbortController()
  let notification = new AbortController()
  const notify = (): void => {
    notification.abort('notified')
    notification = new AbortController()
  }
  const start = (lease: Lease): void => {
    const reconciler = parts.reconcilers[lease.kind]
    if (reconciler)
      slots.take(
        lease,
        runOnce({ ...parts, leaseMs, stopping: stopping.signal }, reconciler, lease),
        notify,
      )
  }
  const claims = claimUntil(stopClaiming.signal, {
    ...parts,
    pollMs,
    slots,
    start,
    notification: () => notification.signal,
  })
  return {
    notify,
    running: () => slots.taken(),
    async stop(graceMs = 10_000) {
      stopClaiming.abort()
      await claims
      const runsEnded = new AbortController()
      await Promise.race([slots.allFree(), clock.sleep(graceMs, runsEnded.signal)])
      runsEnded.abort()
      stopping.abort()
      await slots.allFree()
    },
  }
}

interface ClaimLoopParts extends LoopParts {
  readonly pollMs: number
  readonly slots: Slots
  readonly start: (lease: Lease) => void
  readonly notification: () => AbortSignal
}

async function claimUntil(
  stopped: AbortSignal,
  { clock, log, pollMs, ...parts }: ClaimLoopParts,
): Promise<void> {
  for (let failures = 0; !stopped.aborted;) {
    // The signal is read before claiming, so that a notification during the claim is not missed.
    const notified = AbortSignal.any([parts.notification(), stopped])
    try {
      await claimSome(parts)
      failures = 0
      // Due keys without a free slot are claimed when a run ends, which notifies this loop.
      await clock.sleep(pollMs / 2 + backoffMs(1, { firstMs: pollMs, capMs: pollMs }), notified)
    } catch (error) {
      failures += 1
      const retryInMs = 100 + backoffMs(failures, { firstMs: 100, capMs: 5_000 })
      log.warn('reconcile.work_claim_failed', {
        error,
        failures,
        retryInMs,
        effect: 'this replica starts no reconciles; Berth tries again',
        remedy: 'none, unless failures grows: check PostgreSQL',
      })
      await clock.sleep(retryInMs, stopped)
    }
  }
}

async function claimSome({
  work,
  reconcilers,
  slots,
  start,
}: Pick<ClaimLoopParts, 'work' | 'reconcilers' | 'slots' | 'start'>): Promise<void> {
  // The loop assumes waiting keys until the claim has answered. A run that ends during the claim
  // frees a slot that the claim does not count.
  slots.areShort = true
  const limit = slots.free()
  if (limit === 0) return
  const { leases, isMore } = await work.claim({
    kinds: Object.keys(reconcilers),
    limit,
    roomOf: slots.roomOf(),
  })
  slots.areShort = isMore
  for (const lease of leases) start(lease)
}

/** The slots of this worker and the runs that use them. */
class Slots {
  /** True when due keys may be waiting for a slot. A run that ends then triggers a claim. */
  areShort = false
  readonly #perTenant: number
  readonly #concurrency: number
  readonly #runs = new Map<Lease, Promise<void>>()

  constructor(concurrency: number) {
    this.#concurrency = concurrency
    this.#perTenant = Math.max(1, Math.floor((concurrency * 3) / 4))
  }

  /**
   * Occupies a slot until the run ends. Calls `onDue` when a key may be claimable then: the same
   * key again, or one that waited for a slot.
   */
  take(lease: Lease, run: Promise<boolean>, onDue: () => void): void {
    const done = run.then((isDue) => {
      this.#runs.delete(lease)
      if (isDue || this.areShort) onDue()
    })
    this.#runs.set(lease, done)
  }

  taken(): number {
    return this.#runs.size
  }

  free(): number {
    return this.#concurrency - this.#runs.size
  }

  roomOf(): (tenantId: string) => number {
    const runsOfTenant = new Map<string, number>()
    for (const { tenantId } of this.#runs.keys())
      runsOfTenant.set(tenantId, (runsOfTenant.get(tenantId) ?? 0) + 1)
    return (tenantId) => Math.max(0, this.#perTenant - (runsOfTenant.get(tenantId) ?? 0))
  }

  async allFree(): Promise<void> {
    await Promise.all(this.#runs.values())
  }
}
