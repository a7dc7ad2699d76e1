import { clock } from '../clock.ts'
import { ApiError } from '../objects/status.ts'
import { type Store } from '../apiserver/storage/store.ts'
import { type KubeObject } from '../objects/types.ts'
import { read } from '../objects/read.ts'
import { indexed } from './store-index.ts'

export interface Occurrence {
  type: 'Normal' | 'Warning'
  reason: string
  message: string
}

/** Writes events in the name of a component. */
interface Books {
  name: string
  world: { store: Store }
  create(kind: string, object: KubeObject): KubeObject
  change(kind: string, old: KubeObject, next: KubeObject): KubeObject
}

const seriesOf = (occurrence: Occurrence & { uid: string; component: string }): string =>
  [
    occurrence.uid,
    occurrence.type,
    occurrence.reason,
    occurrence.message,
    occurrence.component,
  ].join('\n')

const alike = indexed('events', ({ involvedObject, type, reason, message, source }) => [
  seriesOf({
    uid: read.text(read.at(involvedObject, 'uid')),
    component: read.text(read.at(source, 'component')),
    type: type === 'Warning' ? 'Warning' : 'Normal',
    reason: read.text(reason),
    message: read.text(message),
  }),
])

let lastMark = 0n

/** Returns a suffix that grows with time, so that a list sorted by name is sorted by time. */
function nextMark(): string {
  // The clock may show fractions of a millisecond after a test advanced it.
  const now = BigInt(Math.trunc(clock.nowMs())) * 1_000_000n
  lastMark = now > lastMark ? now : lastMark + 1n
  return lastMark.toString(16)
}

/** Records an event; a repeated one increments the count of the existing event. */
export function recordEvent(
  desk: Books,
  about: KubeObject,
  { type, reason, message }: Occurrence,
): void {
  const { name, namespace = 'default', uid = '', resourceVersion = '' } = about.metadata
  const now = clock.timestamp()
  const [known] = alike(desk, seriesOf({ uid, type, reason, message, component: desk.name }))
  if (known) {
    desk.change('events', known, { ...known, count: Number(known.count) + 1, lastTimestamp: now })
    return
  }
  try {
    desk.create('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${nextMark()}`, namespace },
      involvedObject: {
        kind: about.kind,
        namespace,
        name,
        uid,
        apiVersion: about.apiVersion,
        resourceVersion,
      },
      type,
      reason,
      message,
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
      eventTime: null,
      source: { component: desk.name },
      reportingComponent: desk.name,
      reportingInstance: '',
    })
  } catch (error) {
    // A terminating namespace accepts no events, and no controller waits for them.
    if (!(error instanceof ApiError)) throw error
  }
}
