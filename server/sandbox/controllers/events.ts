import { createHash } from 'node:crypto'
import { clock } from '../clock.ts'
import { ApiError } from '../apiserver/status.ts'
import { type KubeObject } from '../apiserver/types.ts'

export interface Occurrence {
  type: 'Normal' | 'Warning'
  reason: string
  message: string
}

/** Where events are written, and in whose name. */
interface Books {
  name: string
  get(kind: string, namespace: string, name: string): KubeObject | undefined
  create(kind: string, object: KubeObject): KubeObject
  change(kind: string, old: KubeObject, next: KubeObject): KubeObject
}

/** The same occurrence again is the same event with a higher count. */
export function recordEvent(desk: Books, about: KubeObject, { type, reason, message }: Occurrence): void {
  const { name, namespace = 'default', uid = '', resourceVersion = '' } = about.metadata
  const mark = createHash('sha256').update(`${uid} ${type} ${reason} ${message} ${desk.name}`).digest('hex').slice(0, 16)
  const eventName = `${name}.${mark}`
  const now = clock.timestamp()
  const known = desk.get('events', namespace, eventName)
  if (known) {
    desk.change('events', known, { ...known, count: Number(known.count) + 1, lastTimestamp: now })
    return
  }
  try {
    desk.create('events', {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: eventName, namespace },
      involvedObject: { kind: about.kind, namespace, name, uid, apiVersion: about.apiVersion, resourceVersion },
      ...{ type, reason, message, count: 1, firstTimestamp: now, lastTimestamp: now, eventTime: null },
      source: { component: desk.name },
      reportingComponent: desk.name,
      reportingInstance: '',
    })
  } catch (error) {
    // A namespace that is going takes no news any more, and nobody waits for any.
    if (!(error instanceof ApiError)) throw error
  }
}
