import {
  type ChangedObject,
  type Watch,
  type WatchedKind,
  type KindWatcher,
} from '../kube/watch/watch.ts'
import { type FollowedKinds } from '../model/registry.ts'
import { type Change, type ChangeKind } from '../model/change.ts'
import { type Hub } from '../changes/hub.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'
import { type WorkKey } from '../model/work-key.ts'

export type FollowedKind = keyof FollowedKinds & WatchedKind

/** What is known of the cluster without asking it. */
export type Sight = Readonly<Record<FollowedKind, Pick<Watch, 'at' | 'all' | 'isSynced'>>>

/** Where the keys of a reconciler come from. */
export interface Source {
  /** Which keys a change touches; it is only a hint where to look. */
  readonly changes: Partial<
    Record<ChangeKind, (change: Change) => readonly WorkKey[] | Promise<readonly WorkKey[]>>
  >
  /** The keys that a change of an object in the cluster touches. */
  readonly objects: Partial<Record<FollowedKind, (object: ChangedObject) => readonly WorkKey[]>>
  /**
   * Of keys that were touched, those that need a look; all without it. What was seen already is
   * told again at times.
   */
  sift?(keys: readonly WorkKey[], sight: Sight): Promise<readonly WorkKey[]>
  /** All keys that may need a look, in batches: heals whatever the hints missed. */
  everything(sight: Sight): AsyncIterable<readonly WorkKey[]>
}

interface SourceParts {
  readonly hub: Hub
  readonly sources: readonly Source[]
  readonly cluster: KindWatcher
  /** The kinds of cluster objects to follow. */
  readonly followed: readonly FollowedKind[]
  /** Puts the keys on the work table. */
  readonly ring: (keys: readonly WorkKey[]) => Promise<void>
  readonly clock: Clock
  readonly log: Log
  readonly fullPassMs?: number
}

/**
 * Turns changes into keys, and looks at everything at the start, every minute and after a gap.
 * Meant to run as a leader task: two of them would do no harm but everything twice. Ends soon after
 * the signal.
 */
export async function ringFromSources(
  { fullPassMs = 60_000, ...parts }: SourceParts,
  signal: AbortSignal,
): Promise<void> {
  const { hub, sources, clock, log } = parts
  const subscription = hub.subscribe({ scope: 'platform' })
  const due = new Set<'full pass'>(['full pass'])
  let bell = new AbortController()
  signal.addEventListener('abort', () => subscription.close(), { once: true })
  if (signal.aborted) subscription.close()
  const news = new News(parts)

  const passes = async (): Promise<void> => {
    while (!signal.aborted) {
      due.clear()
      for (const source of sources)
        await fullPass(source, parts, news.sight).catch((error: unknown) =>
          log.warn('a full pass failed', { error }),
        )
      if (due.size === 0) await clock.sleep(fullPassMs, AbortSignal.any([signal, bell.signal]))
      bell = new AbortController()
    }
  }

  const hints = async (): Promise<void> => {
    for await (const delivery of subscription) {
      if (delivery.gap) {
        due.add('full pass')
        bell.abort()
      } else {
        await ringFor(delivery.change, parts).catch((error: unknown) =>
          log.warn('a change could not be turned into work', { error }),
        )
      }
    }
  }

  await Promise.all([passes(), hints(), news.tellUntil(signal)])
}

/** What streams tell comes in bursts: it is gathered for a moment, so that a burst is one look. */
const gatherMs = 50

/** What the cluster tells by itself. */
class News {
  readonly sight: Sight
  readonly #parts: SourceParts
  readonly #watches: readonly Watch[]
  readonly #told = new Map<Source, Map<string, WorkKey>>()
  #bell = new AbortController()

  constructor(parts: SourceParts) {
    this.#parts = parts
    const watches = parts.followed.map(
      (noun) => [noun, parts.cluster.watch(noun, (object) => this.#take(noun, object))] as const,
    )
    this.#watches = watches.map(([, watch]) => watch)
    // The nouns that are watched are the keys that a sight has.
    this.sight = Object.fromEntries(watches) as Record<FollowedKind, Watch>
  }

  async tellUntil(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts
    while (!signal.aborted) {
      if (this.#told.size === 0)
        await clock.sleep(60_000, AbortSignal.any([signal, this.#bell.signal]))
      this.#bell = new AbortController()
      await clock.sleep(gatherMs, signal)
      await this.#ringAll()
    }
    await Promise.all(this.#watches.map((watch) => watch.stop()))
  }

  #take(noun: FollowedKind, object: ChangedObject): void {
    for (const source of this.#parts.sources) {
      for (const key of source.objects[noun]?.(object) ?? []) {
        const told = this.#told.get(source) ?? new Map<string, WorkKey>()
        this.#told.set(source, told.set(key.objectId, key))
      }
    }
    if (this.#told.size > 0) this.#bell.abort('rung')
  }

  async #ringAll(): Promise<void> {
    const { ring, log } = this.#parts
    const told = [...this.#told]
    this.#told.clear()
    for (const [source, keys] of told) {
      try {
        const touched = [...keys.values()]
        const due = (await source.sift?.(touched, this.sight)) ?? touched
        if (due.length > 0) await ring(due)
      } catch (error) {
        log.warn('what the cluster told could not be turned into work', { error })
      }
    }
  }
}

async function ringFor(change: Change, { sources, ring }: SourceParts): Promise<void> {
  for (const source of sources) {
    const keys = await source.changes[change.kind]?.(change)
    if (keys?.length) await ring(keys)
  }
}

async function fullPass(source: Source, { ring }: SourceParts, sight: Sight): Promise<void> {
  for await (const keys of source.everything(sight)) if (keys.length > 0) await ring(keys)
}
