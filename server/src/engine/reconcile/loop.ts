import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type Lease } from './work-lease.ts'
import { type Work } from './work.ts'
import { type Reconciler } from './reconciler.ts'
import { runOnce } from './run.ts'

export interface ReconcileLoop {
  /** The doorbell rang: look for due keys now. */
  wake(): void
  /** How many runs are going on. */
  running(): number
  /** Claims nothing more, waits for the runs, then hands back what is left. Safe to call twice. */
  stop(graceMs?: number): Promise<void>
}

interface LoopParts {
  readonly work: Work
  readonly reconcilers: Readonly<Record<string, Reconciler>>
  readonly clock: Clock
  readonly log: Log
  readonly concurrency?: number
  /** The term of the leases that `work` hands out. */
  readonly leaseMs?: number
  readonly pollMs?: number
}

/**
 * Claims due keys and runs their reconcilers, a bounded number at a time. One key never runs twice
 * at once (the lease), and one tenant never fills a worker (a quarter of its places is kept for the
 * others), so that slow steps of one do not make another wait for a free place.
 */
export function startReconcileLoop({
  concurrency = 16,
  leaseMs = 10_000,
  pollMs = 500,
  ...parts
}: LoopParts): ReconcileLoop {
  const { clock } = parts
  const places = new Places(concurrency)
  const claiming = new AbortController()
  const stopping = new AbortController()
  let bell = new AbortController()
  const wake = (): void => {
    bell.abort('rung')
    bell = new AbortController()
  }
  const start = (lease: Lease): void => {
    const reconciler = parts.reconcilers[lease.kind]
    if (reconciler)
      places.take(
        lease,
        runOnce({ ...parts, leaseMs, stopping: stopping.signal }, reconciler, lease),
        wake,
      )
  }
  const turning = claimUntil(claiming.signal, {
    ...parts,
    pollMs,
    places,
    start,
    bell: () => bell.signal,
  })
  return {
    wake,
    running: () => places.taken(),
    async stop(graceMs = 10_000) {
      claiming.abort()
      await turning
      const graceOver = new AbortController()
      await Promise.race([places.allFree(), clock.sleep(graceMs, graceOver.signal)])
      graceOver.abort()
      stopping.abort()
      await places.allFree()
    },
  }
}

interface Claiming extends LoopParts {
  readonly pollMs: number
  readonly places: Places
  readonly start: (lease: Lease) => void
  readonly bell: () => AbortSignal
}

async function claimUntil(
  stopped: AbortSignal,
  { clock, log, pollMs, ...parts }: Claiming,
): Promise<void> {
  for (let failures = 0; !stopped.aborted;) {
    // Taken before claiming, so that a ring during the claim is not slept over.
    const heard = AbortSignal.any([parts.bell(), stopped])
    try {
      await claimSome(parts)
      failures = 0
      // Whatever is due and found no place is claimed when a run ends, for that wakes us.
      await clock.sleep(pollMs / 2 + backoffMs(1, { firstMs: pollMs, capMs: pollMs }), heard)
    } catch (error) {
      failures += 1
      log.warn('due work cannot be claimed', { error, failures })
      await clock.sleep(100 + backoffMs(failures, { firstMs: 100, capMs: 5_000 }), stopped)
    }
  }
}

async function claimSome({
  work,
  reconcilers,
  places,
  start,
}: Pick<Claiming, 'work' | 'reconcilers' | 'places' | 'start'>): Promise<void> {
  // Until the answer says otherwise: what ends meanwhile leaves a place that this claim knows
  // nothing of.
  places.areShort = true
  const limit = places.free()
  if (limit === 0) return
  const { leases, isMore } = await work.claim({
    kinds: Object.keys(reconcilers),
    limit,
    roomOf: places.roomOf(),
  })
  places.areShort = isMore
  for (const lease of leases) start(lease)
}

/** Who occupies this worker. */
class Places {
  /** Something due may have found no place: whoever leaves one tells. */
  areShort = false
  readonly #perTenant: number
  readonly #concurrency: number
  readonly #runs = new Map<Lease, Promise<void>>()

  constructor(concurrency: number) {
    this.#concurrency = concurrency
    this.#perTenant = Math.max(1, Math.floor((concurrency * 3) / 4))
  }

  /**
   * Tells when something may be due that could not be claimed before: the key of the run again, or
   * one that found no place.
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
    const held = new Map<string, number>()
    for (const { tenantId } of this.#runs.keys()) held.set(tenantId, (held.get(tenantId) ?? 0) + 1)
    return (tenantId) => Math.max(0, this.#perTenant - (held.get(tenantId) ?? 0))
  }

  async allFree(): Promise<void> {
    await Promise.all(this.#runs.values())
  }
}
