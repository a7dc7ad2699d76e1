import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Request {
  method: string
  path: string
  body?: unknown
  contentType?: string
}

export interface ActionEvent {
  action: string
  request?: Request
}

/** A watch event of one object. It contains only the changed fields. */
export interface ObjectEvent {
  kind: string
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  name: string
  fields?: Record<string, unknown>
  cleared?: string[]
}

/** A Kubernetes Event. */
export interface NoticeEvent {
  kind: 'Event'
  reason: string
  eventType: string
  message: string
  about: string
}

export type TimelineEvent = ActionEvent | NoticeEvent | ObjectEvent

/** A recording from a real cluster: actions of a user and the events that followed. */
export interface Timeline {
  id: string
  title: string
  events: TimelineEvent[]
}

export const isAction = (event: TimelineEvent): event is ActionEvent => 'action' in event
export const isNotice = (event: TimelineEvent): event is NoticeEvent =>
  'kind' in event && event.kind === 'Event'

const folder = fileURLToPath(
  new URL('../../../../../shared/data/recorded/timelines', import.meta.url),
)

/** Reads the recorded timelines. Returns null when the recordings are not next to the checkout. */
export function recordedTimelines(): Timeline[] | null {
  if (!existsSync(folder)) return null
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files
    .sort()
    .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as Timeline)
}
