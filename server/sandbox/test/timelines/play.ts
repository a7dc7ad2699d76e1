import { type Images } from '../../../../test/support/sandbox/image-server.ts'
import { type KubeClient } from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { freshNamespaces } from '../support/fresh-namespaces.ts'
import { Preparation, before } from './before.ts'
import { type ActionEvent, type Timeline, type TimelineEvent, isAction } from './recorded.ts'
import { type Track, noticesOf, tracksOf } from './tracks.ts'
import { type Watched, watchAll } from './watch.ts'

/** The cluster on which a recorded timeline is played. */
export interface Stage {
  client: KubeClient
  served: ReadonlySet<string>
  image: Images
  /** Duration of steps relative to a real cluster. */
  pace: number
}

/** Plays a recording and returns the differences. */
export async function play(stage: Stage, { id, events }: Timeline): Promise<string[]> {
  const { client, pace } = stage
  const quietMs = Math.max(shortestQuietMs, settledMs * pace)
  await freshNamespaces(client, stage.served)
  const image = id === 'dv-http-error' ? stage.image.missing : `${stage.image.origin}/disk.qcow2`
  const make = new Preparation(client, image)
  await make.make('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'ns1' },
  })
  await before[id]?.(make)
  const watched = await watchAll(client, 'ns1')
  try {
    await quiet(watched, quietMs)
    watched.events.length = 0
    for (const [index, event] of events.entries()) {
      if (!isAction(event)) continue
      await perform(client, event, image)
      const next = events.findIndex((each, position) => position > index && isAction(each))
      await caughtUp(watched, {
        events: events.slice(0, next === -1 ? events.length : next),
        stuckMs: stuckMs * pace,
      })
      // The recorder paused between two actions.
      await quiet(watched, 40)
    }
    await quiet(watched, quietMs)
    return [
      ...differing(tracksOf(events), tracksOf(watched.events)),
      ...silent(events, [...watched.earlier, ...watched.events]),
    ]
  } finally {
    watched.stop()
  }
}

/**
 * A real cluster has finished an action after `settledMs` without events. After `stuckMs` no more
 * events will come; its longest pause is before the restart of a guest.
 */
const settledMs = 1_250
const stuckMs = 16_000
const shortestQuietMs = 400

/**
 * Waits until no event has happened for a while. Ends after twice that time, because some
 * controllers retry for ever.
 */
async function quiet({ events }: Watched, quietMs: number): Promise<void> {
  await waitFor(silence(events, quietMs), { timeoutMs: quietMs * 2 }).catch(() => undefined)
}

/** Returns a function that is true when the list has not grown for this time. */
function silence(events: readonly TimelineEvent[], quietMs: number): () => boolean {
  let count = -1
  let since = performance.now()
  return () => {
    if (events.length !== count) since = performance.now()
    count = events.length
    return performance.now() - since > quietMs
  }
}

const guestCommands: [description: string, command: string][] = [
  ['guest powers off', 'poweroff'],
  ['guest process dies', 'crash'],
]

async function perform(
  client: KubeClient,
  { action, request }: ActionEvent,
  image: string,
): Promise<void> {
  if (!request) return commandGuest(client, action)
  const text =
    request.body === undefined
      ? undefined
      : JSON.stringify(request.body).replaceAll('http://example.invalid/disk.qcow2', image)
  const headers = {
    accept: '*/*',
    ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
  }
  const answer = await client.call(request.path, { method: request.method, headers, body: text })
  if (answer.status >= 400)
    throw new TypeError(`${action} failed with ${answer.status}: ${answer.text.slice(0, 300)}`)
}

/**
 * Commands an action inside the guest. Other descriptions only explain what the cluster does
 * itself.
 */
async function commandGuest(client: KubeClient, action: string): Promise<void> {
  const found = guestCommands.find(([description]) => action.startsWith(description))
  if (!found) return
  const body = { namespace: 'ns1', name: 'vm1', act: found[1] }
  const { status, text } = await client.call('/_sandbox/guest', { method: 'POST', body })
  if (status !== 200) throw new TypeError(`the guest did not ${found[1]}: ${text}`)
}

interface Expected {
  events: readonly TimelineEvent[]
  stuckMs: number
}

/** Waits until all recorded events have happened, or until no more events come. */
const caughtUp = (watched: Watched, { events, stuckMs }: Expected): Promise<void> => {
  const recorded = tracksOf(events)
  const isStuck = silence(watched.events, stuckMs)
  const isThere = (): boolean =>
    differing(recorded, tracksOf(watched.events)).every((line) => line.startsWith('more: ')) &&
    silent(events, [...watched.earlier, ...watched.events]).length === 0
  return waitFor(() => isStuck() || isThere(), { timeoutMs: 12_000, everyMs: 50 }).catch(
    () => undefined,
  )
}

const titleOf = ({ kind, name }: Track): string => `${kind} ${name}`

/**
 * Compares the states of every recorded object. An object may have more states after the recorded
 * ones.
 */
function differing(recorded: readonly Track[], observed: readonly Track[]): string[] {
  const relevant = recorded.filter(isOfTimeline)
  const left = observed.filter(isOfTimeline)
  const lines = relevant.flatMap((track) => {
    const sames = left.filter((each) => titleOf(each) === titleOf(track))
    const same = sames.find((each) => isSame(track, each)) ?? sames[0]
    if (!same)
      return statesOf(track).length === 0
        ? []
        : [`missing: ${titleOf(track)} (${track.states.join(', ')})`]
    left.splice(left.indexOf(same), 1)
    return deviations(track, same)
  })
  return [
    ...lines,
    ...left
      .filter((each) => each.states.length > 0)
      .map((each) => `more: ${titleOf(each)} (${each.states.join(', ')})`),
  ]
}

/**
 * True unless the object is a `prime-` PVC from before the recording. It briefly outlives its
 * import, possibly into the recording.
 */
const isOfTimeline = ({ name, states }: Track): boolean =>
  !name.startsWith('prime-') || states[0] === 'made'

/** Short states that a recording contains or not, depending on timing. */
const fleeting: Record<string, RegExp> = {
  DataVolume: /(?<=,)(Pending|ImportScheduled),/g,
  PersistentVolumeClaim: /(?<=deleting,)Lost,(?=gone,)/,
  Pod: /(?<=deleting,)Succeeded,(?=gone,)/,
  VirtualMachine: /(?<=Provisioning,)Stopped,(?=Starting,)/,
}

function lasting({ kind }: Track, states: readonly string[]): string[] {
  const text = states.map((state) => `${state},`).join('')
  return text
    .replace(fleeting[kind] ?? /$^/, '')
    .split(',')
    .slice(0, -1)
}

/** The first event of an existing object contains its old fields, which are no change. */
const statesOf = ({ states, earlier }: Track): string[] => states.slice(earlier)

const begins = (whole: readonly string[], start: readonly string[]): boolean =>
  start.every((state, index) => whole[index] === state)

function isSame(recorded: Track, got: Track): boolean {
  const went = lasting(got, got.states)
  const isWhole = begins(went, lasting(recorded, recorded.states))
  return (
    isWhole ||
    (recorded.states[0] !== 'made' &&
      got.states[0] !== 'made' &&
      begins(went, lasting(recorded, statesOf(recorded))))
  )
}

function deviations(recorded: Track, got: Track): string[] {
  const title = titleOf(recorded)
  const states = isSame(recorded, got)
    ? []
    : [`${title}: went ${got.states.join(', ')}; recorded ${recorded.states.join(', ')}`]
  const all = [...states, ...unmet(recorded, got)]
  // An object from before the recording got its finalizers and owners earlier.
  if (recorded.states[0] !== 'made') return all
  return [
    ...all,
    ...absent(`${title}: finalizer`, recorded.finalizers, got.finalizers),
    ...absent(`${title}: owner`, recorded.owners, got.owners),
  ]
}

/** The last recorded conditions must have occurred. Later ones may follow. */
function unmet(recorded: Track, got: Track): string[] {
  const last = recorded.conditions.at(-1)
  // An object without a change of conditions still has the earlier ones.
  if (
    !last ||
    (recorded.conditions.length === 1 &&
      got.conditions.length === 0 &&
      recorded.states[0] !== 'made')
  )
    return []
  const isMet = got.conditions.some((each) => [...last].every((condition) => each.has(condition)))
  return isMet
    ? []
    : [
        `${titleOf(recorded)}: conditions ${[...(got.conditions.at(-1) ?? [])].join(', ')}; recorded ${[...last].join(', ')}`,
      ]
}

const absent = (
  what: string,
  recorded: ReadonlySet<string>,
  got: ReadonlySet<string>,
): string[] => [
  ...[...recorded].filter((each) => !got.has(each)).map((each) => `${what} ${each} is missing`),
  ...[...got]
    .filter((each) => !recorded.has(each))
    .map((each) => `${what} ${each} is not recorded`),
]

const silent = (recorded: readonly TimelineEvent[], got: readonly TimelineEvent[]): string[] => {
  const events = noticesOf(got)
  const hasPrime = tracksOf(recorded).some(
    ({ name, states }) => name.startsWith('prime-') && states[0] === 'made',
  )
  const expected = [...noticesOf(recorded)].filter((each) => hasPrime || !each.includes(' prime-'))
  return expected.filter((each) => !events.has(each)).map((each) => `event: ${each} is missing`)
}
