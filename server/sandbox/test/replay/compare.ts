import { type KubeAnswer } from '../../../../test/support/sandbox/sandbox.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonMap = Record<string, Json>

export interface Recorded {
  status: number
  /** The value null means a response without a content type. */
  contentType?: string | null
  warnings?: string[]
  retryAfter?: string
  body?: JsonMap
  text?: string
  events?: { type: string; object: JsonMap }[]
  resourceVersionUnchanged?: boolean
}

/** Lists the differences from the recorded response. */
export function compare(
  response: Recorded,
  answer: KubeAnswer,
  versionBefore: string | undefined,
): string[] {
  // Undefined on the recorded side means that nothing was recorded.
  const facts: [what: string, got: unknown, recorded: unknown][] = [
    ['status', answer.status, response.status],
    ['content type', answer.headers['content-type'] ?? null, response.contentType],
    ['retry-after', answer.headers['retry-after'], response.retryAfter],
    ['warnings', [answer.headers.warning ?? []].flat(), response.warnings],
    ['text', answer.text, response.text],
    [
      'events',
      response.events && summariesIn(answer.text),
      response.events && summariesOf(response.events),
    ],
    [
      'version',
      answer.body.metadata?.resourceVersion,
      response.resourceVersionUnchanged ? versionBefore : undefined,
    ],
  ]
  const differing = facts.filter(
    ([, got, recorded]) =>
      recorded !== undefined && JSON.stringify(got) !== JSON.stringify(recorded),
  )
  return [
    ...differing.map(
      ([what, got, recorded]) =>
        `${what}: got ${JSON.stringify(got)}, recorded ${JSON.stringify(recorded)}`,
    ),
    ...(response.body ? missing(normalised(answer.body), normalised(response.body), 'body') : []),
  ]
}

const refusalFields = ['body.reason', 'body.details.causes', 'body.message', 'text:']

/**
 * True when the difference matters to clients: another status, or another reason, cause or message
 * of a refusal.
 */
export function isOtherAnswer(response: Recorded, difference: string): boolean {
  if (!/^(body|content type|retry-after|warnings|text|events|version)\b/.test(difference))
    return true
  return response.status >= 400 && refusalFields.some((field) => difference.startsWith(field))
}

type EventSummary = [type: string, name: Json | undefined, reason: Json | undefined]

/** Omits bookmarks, which depend on timing, except the one that ends the initial events. */
function summariesOf(events: readonly { type: string; object: JsonMap }[]): EventSummary[] {
  return events
    .filter(
      ({ type, object }) =>
        type !== 'BOOKMARK' || JSON.stringify(object).includes('initial-events-end'),
    )
    .map(({ type, object }) => [
      type,
      (object.metadata as JsonMap | undefined)?.name,
      object.reason,
    ])
}

const summariesIn = (text: string): EventSummary[] =>
  summariesOf(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { type: string; object: JsonMap }),
  )

/**
 * Replaces values that differ between runs, such as UIDs and times. The recorded guests had no
 * guestOSInfo.
 */
function normalised(value: unknown): Json {
  const text = JSON.stringify(value ?? null)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    // A message may quote an object, possibly twice.
    .replaceAll(/(\\*"resourceVersion\\*":\\*")\d*(\\*")/g, '$1<rv>$2')
    .replaceAll(/("config-resource-version":")\d*(")/g, '$1<rv>$2')
    .replaceAll(/"continue":"[^"]+"/g, '"continue":"<continue>"')
    .replaceAll(/"cells":\[[^\]]*\]/g, (cells) =>
      cells.replaceAll(/"(\d+[smhdy]){1,2}"/g, '"<age>"'),
    )
    .replaceAll(/current: \d+/g, 'current: <rv>')
    .replaceAll(/"eyJ[\w-]+\.[\w-]+\.[\w-]+"/g, '"<token>"')
    .replaceAll(/127\.0\.0\.1:\d+|<ip>:6443/g, '<ip>')
    .replaceAll(
      /\b(gen|clone-vm1|virt-launcher-vm1|hp-volume|kubevirt-migrate-vm)-[a-z0-9]{5}\b/g,
      '$1-<suffix>',
    )
    .replaceAll(/"02(:[0-9a-f]{2}){5}"/g, '"<mac>"')
    .replaceAll(/"target":"[sv]d[a-z]"/g, '"target":"<disk>"')
    .replaceAll(/"guestOSInfo":\{[^}]*\}/g, '"guestOSInfo":{}')
    .replaceAll(/"(?:10|192)\.\d+\.\d+\.\d+(:\d+)?"/g, '"<ip>$1"')
    .replaceAll(/"containerID":"[^"]+"/g, '"containerID":"<container>"')
    // KubeVirt chooses a random value between four and six minutes.
    .replaceAll(/("--qemu-timeout",)"(2[4-9]\d|3[0-5]\d)s"/g, '$1"<seconds>"')
    .replaceAll(/"([a-z0-9-]+)\.[0-9a-f]{16}"/g, '"$1.<hash>"')
    .replaceAll(/hash=[0-9A-F]+/g, 'hash=<hash>')
    // The scheduler chooses the node.
    .replaceAll(/"(node|z)-?\d"/g, '"<$1>"')
  return JSON.parse(text, (key, value: Json) =>
    installationFields.has(key) ? undefined : value,
  ) as Json
}

/** Fields that describe the installation and not the software. */
const installationFields = new Set([
  'generations',
  'observedDeploymentConfig',
  'observedDeploymentID',
  'targetDeploymentConfig',
  'targetDeploymentID',
])

/** Conditions are not ordered. */
const byType = (list: Json | undefined): JsonMap =>
  Object.fromEntries(
    (Array.isArray(list) ? list : []).map((each) => [JSON.stringify(mapOf(each).type), each]),
  )

const byName = (list: Json | undefined): JsonMap =>
  Object.fromEntries(
    (Array.isArray(list) ? list : []).map((each) => [
      JSON.stringify(mapOf(mapOf(each).metadata).name),
      each,
    ]),
  )

const isClusterScoped = (item: Json): boolean => {
  const { name, namespace } = mapOf(mapOf(item).metadata)
  return name !== undefined && namespace === undefined
}

/**
 * Lists recorded fields that are missing or differ. Additional fields are allowed, and conditions
 * are a set.
 */
function missing(got: Json | undefined, expected: Json, path: string): string[] {
  if (Array.isArray(expected)) return missingItems(got, expected, path)
  if (typeof expected !== 'object' || expected === null)
    return got === expected ? [] : [differs(path, got, expected)]
  const map = mapOf(got)
  return Object.entries(comparable(expected)).flatMap(([key, value]) =>
    missing(map[key], value, `${path}.${key}`),
  )
}

function missingItems(got: Json | undefined, expected: Json[], path: string): string[] {
  if (path.endsWith('.conditions'))
    return missing(
      byType(got),
      byType(expected.filter((each) => mapOf(each).type !== 'AgentConnected')),
      path,
    )
  // Another cluster may have more cluster-scoped objects.
  if (path === 'body.items' && expected.every(isClusterScoped))
    return missing(byName(got), byName(expected), path)
  if (!Array.isArray(got) || got.length !== expected.length) return [differs(path, got, expected)]
  return expected.flatMap((item, index) => missing(got[index], item, `${path}[${index}]`))
}

const differs = (path: string, got: Json | undefined, expected: Json): string =>
  `${path}: got ${JSON.stringify(got)}, recorded ${JSON.stringify(expected)}`

const mapOf = (value: Json | undefined): JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/**
 * Kinds whose generation also counts status updates, which differ between runs. The generation of
 * KubeVirt counts installations.
 */
const countsEverything = ['VirtualMachineInstance', 'KubeVirt']

function comparable(expected: JsonMap): JsonMap {
  if (typeof expected.kind !== 'string' || !countsEverything.includes(expected.kind))
    return expected
  const { generation: _generation, ...metadata } = mapOf(expected.metadata)
  const { observedGeneration: _observed, ...status } = mapOf(expected.status)
  return { ...expected, metadata, ...(expected.status === undefined ? {} : { status }) }
}
