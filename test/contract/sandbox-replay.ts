import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KubeAnswer, type KubeDoor } from '../support/sandbox.ts'
import { waitFor } from '../support/wait-for.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonMap = Record<string, Json>

interface Step {
  method: string
  path: string
  headers?: Record<string, string>
  body?: Json
  capture?: Record<string, string[]>
  expectStatus?: number
  wait?: { path: string; field?: string[]; equals?: Json; exists?: true; absent?: true; status?: number; timeoutSeconds: number }
  sleepSeconds?: number
  stream?: boolean
  withoutAdminCredentials?: boolean
}

interface Recorded {
  status: number
  /** Null where the answer had none. */
  contentType?: string | null
  warnings?: string[]
  retryAfter?: string
  body?: JsonMap
  text?: string
  events?: { type: string; object: JsonMap }[]
  resourceVersionUnchanged?: boolean
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

const recordings = fileURLToPath(new URL('../../../shared/data/recorded/answers.jsonl', import.meta.url))

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

/** Runs the case and returns what differs, in words; nothing when the answer is the recorded one. */
export async function replay({ door: real, pace, images }: Stage, each: Case): Promise<string[]> {
  const door = withImages(real, images)
  const values = new Map<string, string>()
  for (const step of each.setup) await prepare(door, step, { values, pace })
  if (each.vars?.old !== undefined && !values.has('old')) values.set('old', await compactedToken(door, each, values))
  const before = each.response.resourceVersionUnchanged === undefined ? undefined : values.get('rv')
  const answer = await send(door, each.request, values)
  return compare(each, answer, before)
}

/** The recorder's guests had their agent at once. */
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
    JSON.parse((typeof body === 'string' ? JSON.stringify(body) : JSON.stringify(body ?? null)).replaceAll(recordedImages, images))
  return {
    ...door,
    async call(path, call = {}) {
      const answer = await door.call(path, call.body === undefined ? call : { ...call, body: swap(call.body) })
      // What was parsed once parses again.
      const body = JSON.parse(JSON.stringify(answer.body).replaceAll(images, recordedImages)) as KubeAnswer['body']
      return { ...answer, text: answer.text.replaceAll(images, recordedImages), body }
    },
  }
}

async function prepare(door: KubeDoor, step: Step, { values, pace }: { values: Map<string, string>; pace: number }): Promise<void> {
  if (step.wait) {
    await waited(door, step.wait)
    if (step.wait.equals === 'Running' || step.wait.equals === 'True') await waited(door, agentAnswers).catch(() => undefined)
    return
  }
  // The recorder let the controllers work.
  if (step.sleepSeconds !== undefined) return settled(door, step.sleepSeconds * 1_000 * pace)
  if (JSON.stringify(step).includes('${old}') && !values.has('old'))
    values.set('old', await compactedToken(door, { request: step }, values))
  const answer = await send(door, marked(step), values)
  const isExpected = step.expectStatus === undefined ? answer.status < 400 : answer.status === step.expectStatus
  if (!isExpected) throw new Error(`setup ${step.method} ${step.path} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
  for (const [name, path] of Object.entries(step.capture ?? {})) values.set(name, String(at(answer.body, path)))
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

async function waited(door: KubeDoor, wait: NonNullable<Step['wait']>): Promise<void> {
  await waitFor(
    async () => {
      const answer = await door.call(wait.path)
      if (wait.status !== undefined) return answer.status === wait.status
      const value = at(answer.body, wait.field ?? [])
      if (wait.exists) return value !== undefined
      return wait.absent ? value === undefined : JSON.stringify(value) === JSON.stringify(wait.equals)
    },
    { timeoutMs: Math.min(wait.timeoutSeconds * 1000, 5000) },
  )
}

/** Continue tokens are JSON in base64; one of a version that is long compacted is made from a fresh one. */
async function compactedToken(door: KubeDoor, { request }: Pick<Case, 'request'>, values: Map<string, string>): Promise<string> {
  const fresh = await send(door, { ...request, path: request.path.replace(/&continue=[^&]*/, '') }, values)
  const token = JSON.parse(Buffer.from(String(fresh.body.metadata.continue), 'base64url').toString()) as JsonMap
  return Buffer.from(JSON.stringify({ ...token, rv: 2 })).toString('base64url')
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((node, key) => {
    if (Array.isArray(node)) return node.find((item) => item?.name === key || item?.type === key) ?? node[Number(key)]
    return (node as JsonMap | undefined)?.[key]
  }, value)
}

async function send(door: KubeDoor, step: Step, values: Map<string, string>): Promise<KubeAnswer> {
  const fill = (text: string): string =>
    text
      .replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole)
      .replaceAll(/<repeat:(.):(\d+)>/g, (_whole, character: string, count: string) => character.repeat(Number(count)))
  const body = step.body === undefined ? undefined : fill(typeof step.body === 'string' ? step.body : JSON.stringify(step.body))
  const headers = Object.fromEntries(Object.entries(step.headers ?? {}).map(([name, value]) => [name, fill(value)]))
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
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name === 'Accept' ? 'accept' : name, value]))

function compare(each: Case, answer: KubeAnswer, versionBefore: string | undefined): string[] {
  const { response } = each
  // Undefined on the recorded side means that nothing was recorded.
  const facts: [what: string, got: unknown, recorded: unknown][] = [
    ['status', answer.status, response.status],
    ['content type', answer.headers['content-type'] ?? null, response.contentType],
    ['retry-after', answer.headers['retry-after'], response.retryAfter],
    ['warnings', [answer.headers.warning ?? []].flat(), response.warnings],
    ['text', answer.text, response.text],
    ['events', response.events && eventsIn(answer.text), response.events && eventsWanted(response.events)],
    ['version', answer.body.metadata?.resourceVersion, response.resourceVersionUnchanged ? versionBefore : undefined],
  ]
  const differing = facts.filter(([, got, recorded]) => recorded !== undefined && JSON.stringify(got) !== JSON.stringify(recorded))
  return [
    ...differing.map(([what, got, recorded]) => `${what}: got ${JSON.stringify(got)}, recorded ${JSON.stringify(recorded)}`),
    ...(response.body ? missing(normalised(answer.body), normalised(response.body), 'body') : []),
  ]
}

type Seen = [type: string, name: Json | undefined, reason: Json | undefined]

/** Bookmarks depend on the moment and are left out, except the one that ends the initial events. */
function eventsWanted(events: readonly { type: string; object: JsonMap }[]): Seen[] {
  return events
    .filter(({ type, object }) => type !== 'BOOKMARK' || JSON.stringify(object).includes('initial-events-end'))
    .map(({ type, object }) => [type, (object.metadata as JsonMap | undefined)?.name, object.reason])
}

const eventsIn = (text: string): Seen[] =>
  eventsWanted(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { type: string; object: JsonMap }),
  )

/** What one run chose and another would choose otherwise; of guests, only the recorder's had none. */
function normalised(value: unknown): Json {
  const text = JSON.stringify(value ?? null)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    // Also inside an object that a message quotes, maybe twice.
    .replaceAll(/(\\*"resourceVersion\\*":\\*")\d*(\\*")/g, '$1<rv>$2')
    .replaceAll(/("config-resource-version":")\d*(")/g, '$1<rv>$2')
    .replaceAll(/"continue":"[^"]+"/g, '"continue":"<continue>"')
    .replaceAll(/"cells":\[[^\]]*\]/g, (cells) => cells.replaceAll(/"(\d+[smhdy]){1,2}"/g, '"<age>"'))
    .replaceAll(/current: \d+/g, 'current: <rv>')
    .replaceAll(/"eyJ[\w-]+\.[\w-]+\.[\w-]+"/g, '"<token>"')
    .replaceAll(/127\.0\.0\.1:\d+|<ip>:6443/g, '<ip>')
    .replaceAll(/\b(gen|clone-vm1|virt-launcher-vm1|hp-volume|kubevirt-migrate-vm)-[a-z0-9]{5}\b/g, '$1-<suffix>')
    .replaceAll(/"02(:[0-9a-f]{2}){5}"/g, '"<mac>"')
    .replaceAll(/"target":"[sv]d[a-z]"/g, '"target":"<disk>"')
    .replaceAll(/"guestOSInfo":\{[^}]*\}/g, '"guestOSInfo":{}')
    .replaceAll(/"10\.\d+\.\d+\.\d+(:\d+)?"/g, '"<ip>$1"')
    .replaceAll(/"([a-z0-9-]+)\.[0-9a-f]{16}"/g, '"$1.<hash>"')
    .replaceAll(/hash=[0-9A-F]+/g, 'hash=<hash>')
    // Who goes where is the scheduler's choice.
    .replaceAll(/"(node|z)-?\d"/g, '"<$1>"')
  return JSON.parse(text) as Json
}

/** Conditions have no order. */
const byType = (list: Json | undefined): JsonMap =>
  Object.fromEntries((Array.isArray(list) ? list : []).map((each) => [String((each as JsonMap).type), each]))

/** Every recorded field must be there with the same value; more may be there. Conditions are a set. */
function missing(got: Json | undefined, want: Json, path: string): string[] {
  if (path.endsWith('.conditions') && Array.isArray(want)) return missing(byType(got), byType(want), path)
  if (Array.isArray(want)) {
    if (!Array.isArray(got) || got.length !== want.length) return [`${path}: got ${JSON.stringify(got)}, recorded ${JSON.stringify(want)}`]
    return want.flatMap((item, index) => missing(got[index], item, `${path}[${index}]`))
  }
  if (typeof want !== 'object' || want === null) {
    return got === want ? [] : [`${path}: got ${JSON.stringify(got)}, recorded ${JSON.stringify(want)}`]
  }
  const map = typeof got === 'object' && got !== null && !Array.isArray(got) ? got : {}
  return Object.entries(want).flatMap(([key, value]) => missing(map[key], value, `${path}.${key}`))
}
