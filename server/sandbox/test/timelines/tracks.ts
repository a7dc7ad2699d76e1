import {
  type NoticeEvent,
  type ObjectEvent,
  type TimelineEvent,
  isAction,
  isNotice,
} from './recorded.ts'

/** What one object went through, as far as users can see it. */
export interface Track {
  kind: string
  /** With a hole where a run chooses for itself. */
  name: string
  /** In their order, each once in a row. */
  states: string[]
  /** How many of them it had when it was first told of; none for one that was made meanwhile. */
  earlier: number
  finalizers: Set<string>
  owners: Set<string>
  /** Every set that it has had, each as `type status:reason`. */
  conditions: Set<string>[]
}

/** Names that a cluster chooses, as the recordings write them and as clusters make them. */
const uid = /<uid\d*>|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const suffix =
  /<suffix\d*>|(?<=^(?:virt-launcher-\S*|hp-volume|kubevirt-workload-update|kubevirt-migrate-vm|u1\S*|vm1-fedora\S*|fedora\S*)-)[a-z0-9]{5}$/g

export const nameOf = (name: string): string =>
  name
    .replaceAll(uid, '<uid>')
    .replaceAll(suffix, '<suffix>')
    // Revisions of instance types end in a number of their own.
    .replaceAll(/<uid>-\d+$/g, '<uid>-<n>')

const stateFields = [
  'status.printableStatus',
  'status.phase',
  'status.complete',
  'status.readyToUse',
]

/**
 * The tracks of all objects, by kind and name; objects whose names only differ in what was chosen
 * stand in the order of their appearance.
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

/** Their messages are left out: what they tell is in the reason, or in an event. */
const conditionsIn = (value: unknown): Set<string> =>
  new Set(
    Object.entries(value as Record<string, string>).map(
      ([type, said]) => `${type} ${said.split(' | ')[0]}`,
    ),
  )

// What was recorded is of the form that its page describes.
const listOf = <Item>(value: unknown): Item[] => (Array.isArray(value) ? (value as Item[]) : [])

/** What two writers at the same moment made a cluster say, or not. */
const races =
  /the object has been modified|already exists|VM is not running|shorter graceperiod|in progress|Two claims are bound|pod cannot be scheduled/

/** What Kubernetes events told, each once. */
export const noticesOf = (events: readonly TimelineEvent[]): Set<string> =>
  new Set(
    events
      .filter(isNotice)
      .filter(({ message }) => !races.test(message))
      .map(wordsOf),
  )

function wordsOf({ about, eventType, reason }: NoticeEvent): string {
  const [kind = '', name = ''] = about.split('/')
  return `${eventType} ${reason} of ${kind} ${nameOf(name)}`
}
