import { type Change, type ChangeKind } from '../domain/change/change.ts'
import { type Hub } from '../changes/hub.ts'
import { type Clock } from '../runtime/clock.ts'
import { type Log } from '../runtime/log.ts'
import { type WorkKey } from '../store/work-lease.ts'

/** Where the keys of a reconciler come from. */
export interface Source {
  /** Which keys a change touches; it is only a hint where to look. */
  readonly changes: Partial<Record<ChangeKind, (change: Change) => readonly WorkKey[] | Promise<readonly WorkKey[]>>>
  /** Tells keys as they come up, of what only the cluster knows; answers how to stop. */
  readonly follow?: (tell: (keys: readonly WorkKey[]) => void) => () => Promise<void>
  /** All keys that may need a look, in batches: heals whatever the hints missed. */
  everything(): AsyncIterable<readonly WorkKey[]>
}

interface SourceParts {
  readonly hub: Hub
  readonly sources: readonly Source[]
  /** Puts the keys on the work table. */
  readonly ring: (keys: readonly WorkKey[]) => Promise<void>
  readonly clock: Clock
  readonly log: Log
  readonly fullPassMs?: number
}

/**
 * Turns changes into keys, and looks at everything at the start, every minute and after a gap. Meant to run as a leader
 * task: two of them would do no harm but everything twice. Ends soon after the signal.
 */
export async function ringFromSources({ fullPassMs = 60_000, ...parts }: SourceParts, signal: AbortSignal): Promise<void> {
  const { hub, sources, clock, log } = parts
  const subscription = hub.subscribe({ scope: 'platform' })
  const due = new Set<'full pass'>(['full pass'])
  let bell = new AbortController()
  signal.addEventListener('abort', () => subscription.close(), { once: true })
  if (signal.aborted) subscription.close()

  const passes = async (): Promise<void> => {
    while (!signal.aborted) {
      due.clear()
      for (const source of sources) await fullPass(source, parts).catch((error: unknown) => log.warn('a full pass failed', { error }))
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
        await ringFor(delivery.change, parts).catch((error: unknown) => log.warn('a change could not be turned into work', { error }))
      }
    }
  }

  await Promise.all([passes(), hints(), news(parts, signal)])
}

/** What sources tell comes in bursts: it is gathered for a moment, so that a burst is one look. */
const gatherMs = 50

async function news({ sources, ring, clock, log }: SourceParts, signal: AbortSignal): Promise<void> {
  const told = new Map<string, WorkKey>()
  let bell = new AbortController()
  const tell = (keys: readonly WorkKey[]): void => {
    for (const key of keys) told.set(`${key.kind}/${key.objectId}`, key)
    bell.abort()
  }
  const stops = sources.flatMap(({ follow }) => (follow ? [follow(tell)] : []))
  while (!signal.aborted) {
    if (told.size === 0) await clock.sleep(60_000, AbortSignal.any([signal, bell.signal]))
    bell = new AbortController()
    await clock.sleep(gatherMs, signal)
    const keys = [...told.values()]
    told.clear()
    await ring(keys).catch((error: unknown) => log.warn('what the cluster told could not be turned into work', { error }))
  }
  await Promise.all(stops.map((stop) => stop()))
}

async function ringFor(change: Change, { sources, ring }: SourceParts): Promise<void> {
  for (const source of sources) {
    const keys = await source.changes[change.kind]?.(change)
    if (keys?.length) await ring(keys)
  }
}

async function fullPass(source: Source, { ring }: SourceParts): Promise<void> {
  for await (const keys of source.everything()) await ring(keys)
}
