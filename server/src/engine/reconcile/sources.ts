import {
  type ChangedObject,
  type Watch,
  type WatchedKind,
  type KindWatcher,
} from '../kube/watch/watch.ts'
import { type FollowedKinds } from '../model/registry.ts'
import { type Change, type ChangeKind } from '../model/change.ts'
import { type Hub } from '../changes/hub.ts'
import { type EnqueueOptions } from './enqueue-work.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type WorkKey } from '../model/work-key.ts'

export type FollowedKind = keyof FollowedKinds & WatchedKind

/** The observed state of the cluster, which is read without an API call. */
export type ObservedCluster = Readonly<
  Record<FollowedKind, Pick<Watch, 'at' | 'all' | 'foreign' | 'isSynced'>>
>

/** Supplies the work keys of a reconciler: which objects it must look at. */
export interface Source {
  /** Maps a change to the keys that it may affect. */
  readonly changes: Partial<
    Record<ChangeKind, (change: Change) => readonly WorkKey[] | Promise<readonly WorkKey[]>>
  >
  /** Maps a change of a cluster object to the keys that it may affect. */
  readonly objects: Partial<Record<FollowedKind, (object: ChangedObject) => readonly WorkKey[]>>
  /**
   * Filters the keys that need a reconcile; without it all do. Watches report some unchanged
   * objects repeatedly, and changes also come from reconcilers.
   */
  filter?(keys: readonly WorkKey[], observed: ObservedCluster): Promise<readonly WorkKey[]>
  /**
   * Yields all keys that may need a reconcile, in batches. It repairs what the change hints missed.
   */
  allKeys(observed: ObservedCluster): AsyncIterable<readonly WorkKey[]>
}

interface SourceParts {
  readonly hub: Hub
  /** The sources by the kind of their keys. */
  readonly sources: Readonly<Record<string, Source>>
  readonly cluster: KindWatcher
  /** The kinds of cluster objects to watch. */
  readonly followed: readonly FollowedKind[]
  /** Enqueues the keys in the work table. */
  readonly enqueue: (keys: readonly WorkKey[], options?: EnqueueOptions) => Promise<void>
  readonly clock: Clock
  readonly log: Log
  readonly fullPassMs?: number
}

/**
 * Enqueues keys for changes, and all keys at the start, every minute and after a gap. It runs as a
 * leader task; two of them would only do the work twice. Ends soon after the signal.
 */
export async function enqueueFromSources(
  { fullPassMs = 60_000, ...parts }: SourceParts,
  signal: AbortSignal,
): Promise<void> {
  const { hub, sources, clock, log } = parts
  const subscription = hub.subscribe({ scope: 'platform' })
  const due = new Set<'full pass'>(['full pass'])
  let notification = new AbortController()
  signal.addEventListener('abort', () => subscription.close(), { once: true })
  if (signal.aborted) subscription.close()
  const watches = new WatchedChanges(parts)

  const fullPasses = async (): Promise<void> => {
    while (!signal.aborted) {
      due.clear()
      for (const [kind, source] of Object.entries(sources))
        await fullPass(source, parts, watches.observed).catch((error: unknown) =>
          log.warn('reconcile.full_pass_failed', {
            kind,
            error,
            effect:
              'drift of this kind that no watch has reported waits for the next full pass, within minutes',
            remedy: 'none, unless it repeats: read the error; check PostgreSQL and the API server',
          }),
        )
      if (due.size === 0)
        await clock.sleep(fullPassMs, AbortSignal.any([signal, notification.signal]))
      notification = new AbortController()
    }
  }

  const changeHints = async (): Promise<void> => {
    for await (const delivery of subscription) {
      if (delivery.gap) {
        due.add('full pass')
        notification.abort()
      } else {
        const { kind, objectId: id } = delivery.change
        await enqueueFor(delivery.change, parts, watches.observed).catch((error: unknown) =>
          log.warn('reconcile.change_log_enqueue_failed', { kind, id, error, ...laterPass }),
        )
      }
    }
  }

  await Promise.all([fullPasses(), changeHints(), watches.enqueueUntil(signal)])
}

const laterPass = {
  effect: 'the change waits for the next full pass, which comes within minutes',
  remedy: 'none, unless it repeats: read the error; check PostgreSQL and the API server',
}

/**
 * Watch events come in bursts. They are collected for a moment, so that a burst causes one
 * reconcile.
 */
const burstMs = 50

/** Collects the keys of watch events and enqueues them. */
class WatchedChanges {
  readonly observed: ObservedCluster
  readonly #parts: SourceParts
  readonly #watches: readonly Watch[]
  readonly #pending = new Map<string, Map<string, WorkKey>>()
  #notification = new AbortController()

  constructor(parts: SourceParts) {
    this.#parts = parts
    const watches = parts.followed.map(
      (noun) => [noun, parts.cluster.watch(noun, (object) => this.#collect(noun, object))] as const,
    )
    this.#watches = watches.map(([, watch]) => watch)
    // The watched kinds are the keys of the record.
    this.observed = Object.fromEntries(watches) as Record<FollowedKind, Watch>
  }

  async enqueueUntil(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    while (!signal.aborted) {
      if (this.#pending.size === 0)
        await clock.sleep(60_000, AbortSignal.any([signal, this.#notification.signal]))
      this.#notification = new AbortController()
      await clock.sleep(burstMs, signal)
      await this.#enqueueAll()
    }
    await Promise.all(this.#watches.map((watch) => watch.stop()))
  }

  #collect(noun: FollowedKind, object: ChangedObject): void {
    for (const [kind, source] of Object.entries(this.#parts.sources)) {
      for (const key of source.objects[noun]?.(object) ?? []) {
        const pending = this.#pending.get(kind) ?? new Map<string, WorkKey>()
        this.#pending.set(kind, pending.set(key.objectId, key))
      }
    }
    if (this.#pending.size > 0) this.#notification.abort('notified')
  }

  async #enqueueAll(): Promise<void> {
    const { sources, enqueue, log } = this.#parts
    const pending = [...this.#pending]
    this.#pending.clear()
    for (const [kind, keys] of pending) {
      try {
        const source = sources[kind]
        const due = source ? await dueOf([...keys.values()], source, this.observed) : []
        if (due.length > 0) await enqueue(due)
      } catch (error) {
        log.warn('reconcile.watch_enqueue_failed', { kind, keys: keys.size, error, ...laterPass })
      }
    }
  }
}

/** Reconcilers record changes too, and those are no reason for another pass. */
async function enqueueFor(
  change: Change,
  { sources, enqueue }: SourceParts,
  observed: ObservedCluster,
): Promise<void> {
  for (const source of Object.values(sources)) {
    const keys = (await source.changes[change.kind]?.(change)) ?? []
    const due = keys.length > 0 ? await dueOf(keys, source, observed) : []
    if (due.length > 0) await enqueue(due)
  }
}

const dueOf = async (
  keys: readonly WorkKey[],
  source: Source,
  observed: ObservedCluster,
): Promise<readonly WorkKey[]> => (await source.filter?.(keys, observed)) ?? keys

async function fullPass(
  source: Source,
  { enqueue }: SourceParts,
  observed: ObservedCluster,
): Promise<void> {
  for await (const keys of source.allKeys(observed))
    if (keys.length > 0) await enqueue(keys, { isFullPass: true })
}
