import {
  type NoticeEvent,
  type ObjectEvent,
  type TimelineEvent,
  isAction,
  isNotice,
} from './recorded.ts'

/** The history of one object, as far as users can see it. */
export interface Track {
  kind: string
  /** The name with placeholders for generated parts. */
  name: string
  /** States in order, without repetitions. */
  states: string[]
  /**
   * Number of states in the first event. Zero for an object that was created during the recording.
   */
  earlier: number
  finalizers: Set<string>
  owners: Set<string>
  /** All sets of conditions, each condition as `type status:reason`. */
  conditions: Set<string>[]
}

/** Generated parts of names, as recordings and as clusters write them. */
const uid = /<uid\d*>|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const suffix =
  /<suffix\d*>|(?<=^(?:virt-launcher-\S*|hp-volume|kubevirt-workload-update|kubevirt-migrate-vm|u1\S*|vm1-fedora\S*|fedora\S*)-)[a-z0-9]{5}$/g

export const nameOf = (name: string): string =>
  name
    .replaceAll(uid, '<uid>')
    .replaceAll(suffix, '<suffix>')
    // Revisions of instance types end with a generated number.
    .replaceAll(/<uid>-\d+$/g, '<uid>-<n>')

const stateFields = [
  'status.printableStatus',
  'status.phase',
  'status.complete',
  'status.readyToUse',
]

/**
 * Returns the tracks of all objects. Objects whose names differ only in generated parts are ordered
 * by appearance.
 */
export function tracksOf(events: readonly TimelineEvent[]): Track[] {
  const tracks = new Map<string, Track>()
  for (const event of events) {
    if (isAction(event) || isNotice(event)) continue
    const key = `${event.kind}/${event.name}`
    const track = tracks.get(key) ?? trackOf(event)
    tracks.set(key, track)
    follow(track, event)
  }
  return [...tracks.values()]
}

const trackOf = ({ kind, name }: ObjectEvent): Track => ({
  kind,
  name: nameOf(name),
  states: [],
  earlier: 0,
  finalizers: new Set(),
  owners: new Set(),
  conditions: [],
})

function follow(track: Track, event: ObjectEvent): void {
  const { fields = {} } = event
  const isFirst = track.states.length === 0
  for (const state of statesIn(event)) if (track.states.at(-1) !== state) track.states.push(state)
  if (isFirst && event.type !== 'ADDED')
    track.earlier = track.states.filter((state) => state !== 'deleting' && state !== 'gone').length
  for (const each of listOf<string>(fields.finalizers)) track.finalizers.add(each)
  for (const each of listOf<{ kind: string; name: string; controller?: boolean }>(
    fields.ownerReferences,
  ))
    track.owners.add(
      `${each.kind}/${nameOf(each.name)}${each.controller === true ? ' controls' : ''}`,
    )
  if (fields.conditions !== undefined) track.conditions.push(conditionsIn(fields.conditions))
}

function statesIn({ type, fields = {} }: ObjectEvent): string[] {
  const values = stateFields
    .filter((field) => field in fields && fields[field] !== '')
    .map((field) => String(fields[field]))
  const deleting = fields.deletionTimestamp === true ? ['deleting'] : []
  return [
    ...(type === 'ADDED' ? ['made'] : []),
    ...values,
    ...deleting,
    ...(type === 'DELETED' ? ['gone'] : []),
  ]
}

/** Omits the messages of conditions, because the reason or an Event has the same information. */
const conditionsIn = (value: unknown): Set<string> =>
  new Set(
    Object.entries(value as Record<string, string>).map(
      ([type, text]) => `${type} ${text.split(' | ')[0]}`,
    ),
  )

// The cast holds because the format of the recordings is documented.
const listOf = <Item>(value: unknown): Item[] => (Array.isArray(value) ? (value as Item[]) : [])

/** Messages that depend on a race between two writers. */
const races =
  /the object has been modified|already exists|VM is not running|shorter graceperiod|in progress|Two claims are bound|pod cannot be scheduled/

/** Returns the distinct Kubernetes Events. */
export const noticesOf = (events: readonly TimelineEvent[]): Set<string> =>
  new Set(
    events
      .filter(isNotice)
      .filter(({ message }) => !races.test(message))
      .map(descriptionOf),
  )

function descriptionOf({ about: subject, eventType, reason }: NoticeEvent): string {
  const [kind = '', name = ''] = subject.split('/')
  return `${eventType} ${reason} of ${kind} ${nameOf(name)}`
}
