import { type Images } from '../../../../test/support/sandbox/image-server.ts'
import { type KubeDoor } from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { freshNamespaces } from '../support/fresh-namespaces.ts'
import { Before, before } from './before.ts'
import { type ActionEvent, type Timeline, type TimelineEvent, isAction } from './recorded.ts'
import { type Track, noticesOf, tracksOf } from './tracks.ts'
import { type Watched, watchAll } from './watch.ts'

export interface Stage {
  door: KubeDoor
  served: ReadonlySet<string>
  image: Images
  /** How long things take compared with a real cluster. */
  pace: number
}

/** Plays a recording and returns what went otherwise, in words. */
export async function play(stage: Stage, { id, events }: Timeline): Promise<string[]> {
  const { door, pace } = stage
  const quietMs = Math.max(shortestQuietMs, settledMs * pace)
  await freshNamespaces(door, stage.served)
  const image = id === 'dv-http-error' ? stage.image.missing : `${stage.image.origin}/disk.qcow2`
  const make = new Before(door, image)
  await make.make('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'ns1' },
  })
  await before[id]?.(make)
  const watched = await watchAll(door, 'ns1')
  try {
    await quiet(watched, quietMs)
    watched.events.length = 0
    for (const [index, event] of events.entries()) {
      if (!isAction(event)) continue
      await act(door, event, image)
      const next = events.findIndex((each, place) => place > index && isAction(each))
      await caughtUp(watched, {
        events: events.slice(0, next === -1 ? events.length : next),
        stuckMs: stuckMs * pace,
      })
      // The recorder took its time between two actions.
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
 * After how much silence of a real cluster nothing more comes of what was done, and after how much
 * of it nothing comes at all: its longest pause is before a guest is started again.
 */
const settledMs = 1_250
const stuckMs = 16_000
const shortestQuietMs = 400

/**
 * Until nothing has happened for a while; where somebody tries again for ever, only for a few times
 * as long.
 */
async function quiet({ events }: Watched, quietMs: number): Promise<void> {
  await waitFor(silence(events, quietMs), { timeoutMs: quietMs * 2 }).catch(() => undefined)
}

/** Whether the list has not grown for so long. */
function silence(events: readonly TimelineEvent[], quietMs: number): () => boolean {
  let seen = -1
  let since = performance.now()
  return () => {
    if (events.length !== seen) since = performance.now()
    seen = events.length
    return performance.now() - since > quietMs
  }
}

const guestActs: [said: string, act: string][] = [
  ['guest powers off', 'poweroff'],
  ['guest process dies', 'crash'],
]

async function act(door: KubeDoor, { action, request }: ActionEvent, image: string): Promise<void> {
  if (!request) return actOfGuest(door, action)
  const text =
    request.body === undefined
      ? undefined
      : JSON.stringify(request.body).replaceAll('http://example.invalid/disk.qcow2', image)
  const headers = {
    accept: '*/*',
    ...(request.contentType === undefined ? {} : { 'content-type': request.contentType }),
  }
  const answer = await door.call(request.path, { method: request.method, headers, body: text })
  if (answer.status >= 400)
    throw new TypeError(`${action} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
}

/**
 * What a guest does of itself is commanded; the other words only tell what a cluster does anyway.
 */
async function actOfGuest(door: KubeDoor, action: string): Promise<void> {
  const found = guestActs.find(([said]) => action.startsWith(said))
  if (!found) return
  const body = { namespace: 'ns1', name: 'vm1', act: found[1] }
  const { status, text } = await door.call('/_sandbox/guest', { method: 'POST', body })
  if (status !== 200) throw new TypeError(`the guest did not ${found[1]}: ${text}`)
}

interface Expected {
  events: readonly TimelineEvent[]
  stuckMs: number
}

/** Until all that was recorded has happened, or it will not any more. */
const caughtUp = (watched: Watched, { events, stuckMs }: Expected): Promise<void> => {
  const wanted = tracksOf(events)
  const isStuck = silence(watched.events, stuckMs)
  const isThere = (): boolean =>
    differing(wanted, tracksOf(watched.events)).every((line) => line.startsWith('more: ')) &&
    silent(events, [...watched.earlier, ...watched.events]).length === 0
  return waitFor(() => isStuck() || isThere(), { timeoutMs: 12_000, everyMs: 50 }).catch(
    () => undefined,
  )
}

const titleOf = ({ kind, name }: Track): string => `${kind} ${name}`

/** Every object of the recording goes through the same states; one may go on after its end. */
function differing(recorded: readonly Track[], seen: readonly Track[]): string[] {
  const wanted = recorded.filter(isOfTimeline)
  const left = seen.filter(isOfTimeline)
  const lines = wanted.flatMap((track) => {
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

/** The claim on the side of an import outlives it for a moment, into the recording or not. */
const isOfTimeline = ({ name, states }: Track): boolean =>
  !name.startsWith('prime-') || states[0] === 'made'

/** States so short that a recording has them or not, by who comes first. */
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

/**
 * The first event of an object that was there already holds its fields as they were, which is no
 * change.
 */
const statesOf = ({ states, earlier }: Track): string[] => states.slice(earlier)

const begins = (whole: readonly string[], start: readonly string[]): boolean =>
  start.every((state, index) => whole[index] === state)

function isSame(wanted: Track, got: Track): boolean {
  const went = lasting(got, got.states)
  const isWhole = begins(went, lasting(wanted, wanted.states))
  return (
    isWhole ||
    (wanted.states[0] !== 'made' &&
      got.states[0] !== 'made' &&
      begins(went, lasting(wanted, statesOf(wanted))))
  )
}

function deviations(wanted: Track, got: Track): string[] {
  const title = titleOf(wanted)
  const states = isSame(wanted, got)
    ? []
    : [`${title}: went ${got.states.join(', ')}; recorded ${wanted.states.join(', ')}`]
  const all = [...states, ...unmet(wanted, got)]
  // What was there before the recording has them from there.
  if (wanted.states[0] !== 'made') return all
  return [
    ...all,
    ...absent(`${title}: finalizer`, wanted.finalizers, got.finalizers),
    ...absent(`${title}: owner`, wanted.owners, got.owners),
  ]
}

/** The last conditions of the recording must have been there once; later ones may follow. */
function unmet(wanted: Track, got: Track): string[] {
  const last = wanted.conditions.at(-1)
  // Without a change of its own it has those of before.
  if (
    !last ||
    (wanted.conditions.length === 1 && got.conditions.length === 0 && wanted.states[0] !== 'made')
  )
    return []
  const isMet = got.conditions.some((each) => [...last].every((condition) => each.has(condition)))
  return isMet
    ? []
    : [
        `${titleOf(wanted)}: conditions ${[...(got.conditions.at(-1) ?? [])].join(', ')}; recorded ${[...last].join(', ')}`,
      ]
}

const absent = (what: string, wanted: ReadonlySet<string>, got: ReadonlySet<string>): string[] => [
  ...[...wanted].filter((each) => !got.has(each)).map((each) => `${what} ${each} is missing`),
  ...[...got].filter((each) => !wanted.has(each)).map((each) => `${what} ${each} is not recorded`),
]

const silent = (wanted: readonly TimelineEvent[], got: readonly TimelineEvent[]): string[] => {
  const said = noticesOf(got)
  const hasPrime = tracksOf(wanted).some(
    ({ name, states }) => name.startsWith('prime-') && states[0] === 'made',
  )
  const asked = [...noticesOf(wanted)].filter((each) => hasPrime || !each.includes(' prime-'))
  return asked.filter((each) => !said.has(each)).map((each) => `event: ${each} is missing`)
}
