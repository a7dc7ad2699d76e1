import { clock } from '../clock.ts'
import { ApiError } from '../objects/status.ts'
import { type Store } from '../apiserver/storage/store.ts'
import { type KubeObject } from '../objects/types.ts'
import { read } from '../objects/read.ts'
import { indexed } from './store-index.ts'

export interface EventContent {
  type: 'Normal' | 'Warning'
  reason: string
  message: string
}

/** Writes events in the name of a component. */
interface EventWriter {
  name: string
  world: { store: Store }
  create(kind: string, object: KubeObject): KubeObject
  change(kind: string, old: KubeObject, next: KubeObject): KubeObject
}

const seriesOf = (occurrence: EventContent & { uid: string; component: string }): string =>
  [
    occurrence.uid,
    occurrence.type,
    occurrence.reason,
    occurrence.message,
    occurrence.component,
  ].join('\n')

const eventsInSeries = indexed('events', ({ involvedObject, type, reason, message, source }) => [
  seriesOf({
    uid: read.text(read.at(involvedObject, 'uid')),
    component: read.text(read.at(source, 'component')),
    type: type === 'Warning' ? 'Warning' : 'Normal',
    reason: read.text(reason),
    message: read.text(message),
  }),
])

let lastSuffix = 0n

/** Returns a suffix that grows with time, so that a list sorted by name is sorted by time. */
function nextSuffix(): string {
  // The clock may show fractions of a millisecond after a test advanced it.
  const now = BigInt(Math.trunc(clock.nowMs())) * 1_000_000n
  lastSuffix = now > lastSuffix ? now : lastSuffix + 1n
  return lastSuffix.toString(16)
}

/** Records an event; a repeated one increments the count of the existing event. */
export function recordEvent(
  client: EventWriter,
  subject: KubeObject,
  { type, reason, message }: EventContent,
): void {
  const { name, namespace = 'default', uid = '', resourceVersion = '' } = subject.metadata
  const now = clock.timestamp()
  const [known] = eventsInSeries(
    client,
    seriesOf({ uid, type, reason, message, component: client.name }),
  )
  if (known) {
    client.change('events', known, { ...known, count: Number(known.count) + 1, lastTimestamp: now })
    return
  }
  try {
    client.create('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${nextSuffix()}`, namespace },
      involvedObject: {
        kind: subject.kind,
        namespace,
        name,
        uid,
        apiVersion: subject.apiVersion,
        resourceVersion,
      },
      type,
      reason,
      message,
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
      eventTime: null,
      source: { component: client.name },
      reportingComponent: client.name,
      reportingInstance: '',
    })
  } catch (error) {
    // A terminating namespace accepts no events, and no controller waits for them.
    if (!(error instanceof ApiError)) throw error
  }
}
