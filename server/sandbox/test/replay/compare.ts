import { type KubeAnswer } from '../../../../test/support/sandbox/sandbox.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type JsonMap = Record<string, Json>

export interface Recorded {
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

/** What differs from the recorded answer, in words. */
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
      response.events && eventsIn(answer.text),
      response.events && eventsWanted(response.events),
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

const ofRefusals = ['body.reason', 'body.details.causes', 'body.message', 'text:']

/**
 * Whether clients are told something else, and not only shown more or less: another status, or
 * another reason, cause or sentence of a refusal.
 */
export function isOtherAnswer(response: Recorded, difference: string): boolean {
  if (!/^(body|content type|retry-after|warnings|text|events|version)\b/.test(difference))
    return true
  return response.status >= 400 && ofRefusals.some((field) => difference.startsWith(field))
}

type Seen = [type: string, name: Json | undefined, reason: Json | undefined]

/** Bookmarks depend on the moment and are left out, except the one that ends the initial events. */
function eventsWanted(events: readonly { type: string; object: JsonMap }[]): Seen[] {
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

const eventsIn = (text: string): Seen[] =>
  eventsWanted(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { type: string; object: JsonMap }),
  )

/**
 * What one run chose and another would choose otherwise; of guests, only the recorder's had none.
 */
function normalised(value: unknown): Json {
  const text = JSON.stringify(value ?? null)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<time>')
    // Also inside an object that a message quotes, maybe twice.
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
    // Drawn by lot between four minutes and six.
    .replaceAll(/("--qemu-timeout",)"(2[4-9]\d|3[0-5]\d)s"/g, '$1"<seconds>"')
    .replaceAll(/"([a-z0-9-]+)\.[0-9a-f]{16}"/g, '"$1.<hash>"')
    .replaceAll(/hash=[0-9A-F]+/g, 'hash=<hash>')
    // Who goes where is the scheduler's choice.
    .replaceAll(/"(node|z)-?\d"/g, '"<$1>"')
  return JSON.parse(text, (key, value: Json) =>
    ofInstallation.has(key) ? undefined : value,
  ) as Json
}

/** Of one installation, not of the software. */
const ofInstallation = new Set([
  'generations',
  'observedDeploymentConfig',
  'observedDeploymentID',
  'targetDeploymentConfig',
  'targetDeploymentID',
])

/** Conditions have no order. */
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

const isOfCluster = (item: Json): boolean => {
  const { name, namespace } = mapOf(mapOf(item).metadata)
  return name !== undefined && namespace === undefined
}

/**
 * Every recorded field must be there with the same value; more may be there. Conditions are a set.
 */
function missing(got: Json | undefined, want: Json, path: string): string[] {
  if (Array.isArray(want)) return missingItems(got, want, path)
  if (typeof want !== 'object' || want === null)
    return got === want ? [] : [differs(path, got, want)]
  const map = mapOf(got)
  return Object.entries(comparable(want)).flatMap(([key, value]) =>
    missing(map[key], value, `${path}.${key}`),
  )
}

function missingItems(got: Json | undefined, want: Json[], path: string): string[] {
  if (path.endsWith('.conditions'))
    return missing(
      byType(got),
      byType(want.filter((each) => mapOf(each).type !== 'AgentConnected')),
      path,
    )
  // Another cluster has more of what is nobody's.
  if (path === 'body.items' && want.every(isOfCluster))
    return missing(byName(got), byName(want), path)
  if (!Array.isArray(got) || got.length !== want.length) return [differs(path, got, want)]
  return want.flatMap((item, index) => missing(got[index], item, `${path}[${index}]`))
}

const differs = (path: string, got: Json | undefined, want: Json): string =>
  `${path}: got ${JSON.stringify(got)}, recorded ${JSON.stringify(want)}`

const mapOf = (value: Json | undefined): JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/**
 * Kinds whose generation also counts what was seen, which no two runs see alike; the one of
 * KubeVirt counts its installation.
 */
const countsEverything = ['VirtualMachineInstance', 'KubeVirt']

function comparable(want: JsonMap): JsonMap {
  if (typeof want.kind !== 'string' || !countsEverything.includes(want.kind)) return want
  const { generation: _seen, ...metadata } = mapOf(want.metadata)
  const { observedGeneration: _observed, ...status } = mapOf(want.status)
  return { ...want, metadata, ...(want.status === undefined ? {} : { status }) }
}
