import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KubeAnswer, type KubeDoor } from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { type Json, type JsonMap, type Recorded, compare } from './compare.ts'

interface Step {
  method: string
  path: string
  headers?: Record<string, string>
  body?: Json
  capture?: Record<string, string[]>
  expectStatus?: number
  wait?: {
    path: string
    field?: string[]
    equals?: Json
    exists?: true
    absent?: true
    status?: number
    timeoutSeconds: number
  }
  sleepSeconds?: number
  stream?: boolean
  withoutAdminCredentials?: boolean
}

export interface Case {
  id: string
  area: string
  given: string
  setup: Step[]
  request: Step
  response: Recorded
  vars?: Record<string, string>
}

const recordings = fileURLToPath(
  new URL('../../../../../shared/data/recorded/answers.jsonl', import.meta.url),
)

/** Null where the recordings are not beside the checkout. */
export function recordedCases(): Case[] | null {
  if (!existsSync(recordings)) return null
  return readFileSync(recordings, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case)
}

export interface Stage {
  door: KubeDoor
  /** How long things take compared with a real cluster. */
  pace: number
  /** A server of images that the cluster can reach, in the place of the recorded one. */
  images: string
}

/**
 * Runs the case and returns what differs, in words; nothing when the answer is the recorded one.
 */
export async function replay({ door: real, pace, images }: Stage, each: Case): Promise<string[]> {
  const door = withImages(real, images)
  const values = new Map<string, string>()
  for (const step of each.setup)
    await prepare(door, step, { values, pace, meetsGuest: asksGuest(each) })
  if (each.vars?.old !== undefined && !values.has('old'))
    values.set('old', await compactedToken(door, each, values))
  const before = each.response.resourceVersionUnchanged === undefined ? undefined : values.get('rv')
  const answer = await send(door, each.request, values)
  return compare(each.response, answer, before)
}

/**
 * The recorder's guests had their agent at once. What a VM repeats of it has no moment of its own,
 * so nobody waits for that.
 */
const asksGuest = ({ given, request }: Case): boolean =>
  !/\/kubevirt\.io\/v1\/.*\/virtualmachines\//.test(request.path) &&
  !given.includes('without agent')

const agentAnswers = {
  path: '/apis/kubevirt.io/v1/namespaces/ns1/virtualmachineinstances/vm1',
  field: ['status', 'conditions', 'AgentConnected', 'status'],
  equals: 'True',
  timeoutSeconds: 2,
}

const recordedImages = 'http://example.invalid'

/** Names one server where the recording named another, and reads answers the other way round. */
function withImages(door: KubeDoor, images: string): KubeDoor {
  const swap = (body: unknown): unknown =>
    JSON.parse(
      (typeof body === 'string' ? JSON.stringify(body) : JSON.stringify(body ?? null)).replaceAll(
        recordedImages,
        images,
      ),
    )
  return {
    ...door,
    async call(path, call = {}) {
      const answer = await door.call(
        path,
        call.body === undefined ? call : { ...call, body: swap(call.body) },
      )
      // What was parsed once parses again.
      const body = JSON.parse(
        JSON.stringify(answer.body).replaceAll(images, recordedImages),
      ) as KubeAnswer['body']
      return { ...answer, text: answer.text.replaceAll(images, recordedImages), body }
    },
  }
}

interface Preparation {
  values: Map<string, string>
  pace: number
  /** Whether the guest has its agent before anybody asks. */
  meetsGuest: boolean
}

async function prepare(
  door: KubeDoor,
  step: Step,
  { values, pace, meetsGuest }: Preparation,
): Promise<void> {
  if (step.wait) return waitedWithGuest(door, step.wait, meetsGuest)
  // The recorder let the controllers work.
  if (step.sleepSeconds !== undefined) return settled(door, step.sleepSeconds * 1_000 * pace)
  if (JSON.stringify(step).includes('${old}') && !values.has('old'))
    values.set('old', await compactedToken(door, { request: step }, values))
  const answer = await send(door, marked(step), values)
  const isExpected =
    step.expectStatus === undefined ? answer.status < 400 : answer.status === step.expectStatus
  if (!isExpected)
    throw new Error(
      `setup ${step.method} ${step.path} answered ${answer.status}: ${answer.text.slice(0, 300)}`,
    )
  for (const [name, path] of Object.entries(step.capture ?? {}))
    values.set(name, String(at(answer.body, path)))
}

/** Until nothing has been written for a moment, or as long as the recorder waited. */
async function settled(door: KubeDoor, timeoutMs: number): Promise<void> {
  let seen = ''
  let since = 0
  const isQuiet = async (): Promise<boolean> => {
    const { resourceVersion } = (await door.call('/api/v1/namespaces?limit=1')).body.metadata
    if (resourceVersion !== seen) since = performance.now()
    seen = resourceVersion
    return performance.now() - since > timeoutMs / 2
  }
  await waitFor(isQuiet, { timeoutMs, everyMs: 30 }).catch(() => undefined)
}

/** The recorder labelled the namespaces that its setup made, and the answers show it. */
function marked(step: Step): Step {
  if (step.method !== 'POST' || step.path !== '/api/v1/namespaces') return step
  const body = step.body as { metadata: JsonMap }
  return { ...step, body: { ...body, metadata: { labels: { record: '1' }, ...body.metadata } } }
}

/** Who waits for a running machine found its agent answering too. */
async function waitedWithGuest(
  door: KubeDoor,
  wait: NonNullable<Step['wait']>,
  meetsGuest: boolean,
): Promise<void> {
  await waited(door, wait)
  const isForMachine =
    wait.equals === 'Running' || (wait.equals === 'True' && wait.field?.includes('Ready') === true)
  if (meetsGuest && isForMachine) await waited(door, agentAnswers).catch(() => undefined)
}

async function waited(door: KubeDoor, wait: NonNullable<Step['wait']>): Promise<void> {
  await waitFor(
    async () => {
      const answer = await door.call(wait.path)
      if (wait.status !== undefined) return answer.status === wait.status
      const value = at(answer.body, wait.field ?? [])
      if (wait.exists) return value !== undefined
      return wait.absent
        ? value === undefined
        : JSON.stringify(value) === JSON.stringify(wait.equals)
    },
    { timeoutMs: Math.min(wait.timeoutSeconds * 1000, 5000) },
  )
}

/**
 * Continue tokens are JSON in base64; one of a version that is long compacted is made from a fresh
 * one.
 */
async function compactedToken(
  door: KubeDoor,
  { request }: Pick<Case, 'request'>,
  values: Map<string, string>,
): Promise<string> {
  const fresh = await send(
    door,
    { ...request, path: request.path.replace(/&continue=[^&]*/, '') },
    values,
  )
  const token = JSON.parse(
    Buffer.from(String(fresh.body.metadata.continue), 'base64url').toString(),
  ) as JsonMap
  return Buffer.from(JSON.stringify({ ...token, rv: 2 })).toString('base64url')
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((node, key) => {
    if (Array.isArray(node))
      return node.find((item) => item?.name === key || item?.type === key) ?? node[Number(key)]
    return (node as JsonMap | undefined)?.[key]
  }, value)
}

async function send(door: KubeDoor, step: Step, values: Map<string, string>): Promise<KubeAnswer> {
  const fill = (text: string): string =>
    text
      .replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole)
      .replaceAll(/<repeat:(.):(\d+)>/g, (_whole, character: string, count: string) =>
        character.repeat(Number(count)),
      )
  const body =
    step.body === undefined
      ? undefined
      : fill(typeof step.body === 'string' ? step.body : JSON.stringify(step.body))
  const headers = Object.fromEntries(
    Object.entries(step.headers ?? {}).map(([name, value]) => [name, fill(value)]),
  )
  const credentials = step.withoutAdminCredentials ? { anonymous: true } : {}
  const accept = { accept: 'application/json, */*', ...lowerCaseKeys(headers) }
  // What was recorded for two seconds is there in one.
  return door.call(fill(step.path).replace(/timeoutSeconds=\d+/, 'timeoutSeconds=1'), {
    method: step.method,
    headers: accept,
    body,
    ...credentials,
  })
}

const lowerCaseKeys = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name === 'Accept' ? 'accept' : name, value]),
  )
