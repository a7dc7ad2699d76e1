import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type KubeAnswer, type KubeClient } from '../../../../test/support/sandbox/sandbox.ts'
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

/** A recorded request to a real cluster, with the steps before it and the response. */
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

/** Reads the recorded cases. Returns null when the recordings are not next to the checkout. */
export function recordedCases(): Case[] | null {
  if (!existsSync(recordings)) return null
  return readFileSync(recordings, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case)
}

/** The cluster on which recorded requests are replayed. */
export interface Stage {
  client: KubeClient
  /** Duration of steps relative to a real cluster. */
  pace: number
  /** Origin of an image server that the cluster can reach. It replaces the recorded one. */
  images: string
}

/** Runs the case and returns its differences from the recorded response. */
export async function replay(
  { client: cluster, pace, images }: Stage,
  each: Case,
): Promise<string[]> {
  const client = withImages(cluster, images)
  const values = new Map<string, string>()
  for (const step of each.setup)
    await prepare(client, step, { values, pace, needsAgent: requiresAgent(each) })
  if (each.vars?.old !== undefined && !values.has('old'))
    values.set('old', await compactedToken(client, each, values))
  const before = each.response.resourceVersionUnchanged === undefined ? undefined : values.get('rv')
  const answer = await send(client, each.request, values)
  return compare(each.response, answer, before)
}

/**
 * True when the case needs a guest with a connected agent, as the recorded guests had. A VM only
 * mirrors the condition of its VMI, so requests for VMs do not wait.
 */
const requiresAgent = ({ given: precondition, request }: Case): boolean =>
  !/\/kubevirt\.io\/v1\/.*\/virtualmachines\//.test(request.path) &&
  !precondition.includes('without agent')

const agentConnected = {
  path: '/apis/kubevirt.io/v1/namespaces/ns1/virtualmachineinstances/vm1',
  field: ['status', 'conditions', 'AgentConnected', 'status'],
  equals: 'True',
  timeoutSeconds: 2,
}

const recordedImages = 'http://example.invalid'

/** Replaces the recorded image server in requests, and restores its name in responses. */
function withImages(client: KubeClient, images: string): KubeClient {
  const swap = (body: unknown): unknown =>
    JSON.parse(
      (typeof body === 'string' ? JSON.stringify(body) : JSON.stringify(body ?? null)).replaceAll(
        recordedImages,
        images,
      ),
    )
  return {
    ...client,
    async call(path, call = {}) {
      const answer = await client.call(
        path,
        call.body === undefined ? call : { ...call, body: swap(call.body) },
      )
      // The cast holds because the body was parsed before.
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
  /** True when the guest must have its agent before the request. */
  needsAgent: boolean
}

async function prepare(
  client: KubeClient,
  step: Step,
  { values, pace, needsAgent }: Preparation,
): Promise<void> {
  if (step.wait) return waitWithAgent(client, step.wait, needsAgent)
  // The recorder waited here for the controllers.
  if (step.sleepSeconds !== undefined)
    return waitUntilQuiet(client, step.sleepSeconds * 1_000 * pace)
  if (JSON.stringify(step).includes('${old}') && !values.has('old'))
    values.set('old', await compactedToken(client, { request: step }, values))
  const answer = await send(client, withRecorderLabel(step), values)
  const isExpected =
    step.expectStatus === undefined ? answer.status < 400 : answer.status === step.expectStatus
  if (!isExpected)
    throw new Error(
      `setup ${step.method} ${step.path} failed with ${answer.status}: ${answer.text.slice(0, 300)}`,
    )
  for (const [name, path] of Object.entries(step.capture ?? {}))
    values.set(name, String(at(answer.body, path)))
}

/** Waits until no write has happened for a moment, or for the time that the recorder waited. */
async function waitUntilQuiet(client: KubeClient, timeoutMs: number): Promise<void> {
  let lastVersion = ''
  let since = 0
  const isQuiet = async (): Promise<boolean> => {
    const { resourceVersion } = (await client.call('/api/v1/namespaces?limit=1')).body.metadata
    if (resourceVersion !== lastVersion) since = performance.now()
    lastVersion = resourceVersion
    return performance.now() - since > timeoutMs / 2
  }
  await waitFor(isQuiet, { timeoutMs, everyMs: 30 }).catch(() => undefined)
}

/** Adds the label that the recorder set on its namespaces, which the responses contain. */
function withRecorderLabel(step: Step): Step {
  if (step.method !== 'POST' || step.path !== '/api/v1/namespaces') return step
  const body = step.body as { metadata: JsonMap }
  return { ...step, body: { ...body, metadata: { labels: { record: '1' }, ...body.metadata } } }
}

/**
 * Waits for the condition. After a wait for a running VMI, also waits for its agent, as the
 * recorder did.
 */
async function waitWithAgent(
  client: KubeClient,
  wait: NonNullable<Step['wait']>,
  needsAgent: boolean,
): Promise<void> {
  await waitForStep(client, wait)
  const isForRunningVmi =
    wait.equals === 'Running' || (wait.equals === 'True' && wait.field?.includes('Ready') === true)
  if (needsAgent && isForRunningVmi)
    await waitForStep(client, agentConnected).catch(() => undefined)
}

async function waitForStep(client: KubeClient, wait: NonNullable<Step['wait']>): Promise<void> {
  await waitFor(
    async () => {
      const answer = await client.call(wait.path)
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
 * Creates a continue token of a compacted version from a new one. Continue tokens are JSON in
 * base64.
 */
async function compactedToken(
  client: KubeClient,
  { request }: Pick<Case, 'request'>,
  values: Map<string, string>,
): Promise<string> {
  const fresh = await send(
    client,
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

async function send(
  client: KubeClient,
  step: Step,
  values: Map<string, string>,
): Promise<KubeAnswer> {
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
  // One second suffices for watches that were recorded for two.
  return client.call(fill(step.path).replace(/timeoutSeconds=\d+/, 'timeoutSeconds=1'), {
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
