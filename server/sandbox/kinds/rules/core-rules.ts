import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { type Cause, causes, problems } from '../../objects/cause.ts'
import { formats } from '../../objects/formats.ts'
import { refuse } from '../../objects/status.ts'

const levels = ['privileged', 'baseline', 'restricted']

/** The labels with which a namespace sets its Pod Security level. */
const securityCauses = ({ metadata: { labels = {} } }: KubeObject): Cause[] =>
  ['enforce', 'audit', 'warn'].flatMap((mode) => {
    const field = (part: string): string =>
      `metadata.labels[pod-security.kubernetes.io/${mode}${part}]`
    const level = labels[`pod-security.kubernetes.io/${mode}`]
    const version = labels[`pod-security.kubernetes.io/${mode}-version`]
    return [
      ...(level === undefined || levels.includes(level)
        ? []
        : [causes.invalid(field(''), level, `must be one of ${levels.join(', ')}`)]),
      ...(version === undefined || /^(latest|v1\.(0|[1-9]\d*))$/.test(version)
        ? []
        : [causes.invalid(field('-version'), version, 'must be "latest" or "v1.x"')]),
    ]
  })

/** The API server's own rules for namespaces. */
export const namespaceHooks: KindHooks = {
  validate: securityCauses,
  onCreate: (object) => ({
    ...object,
    spec: { ...(isMap(object.spec) ? object.spec : {}), finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }),
  normalise: (object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name },
    },
  }),
}

const keyCauses = (object: KubeObject, fields: readonly string[]): Cause[] =>
  fields.flatMap((field) =>
    Object.keys(mapOf(object[field])).flatMap((key) =>
      problems(`${field}[${key}]`, key, formats.configKey(key)),
    ),
  )

const maxBytes = 1024 * 1024

/** Bytes of the values. Those of a Secret and of binary data are encoded. */
const bytesIn = (values: JsonMap, encoding: 'utf8' | 'base64'): number =>
  Object.values(values).reduce<number>(
    (sum, value) => sum + Buffer.byteLength(String(value), encoding),
    0,
  )

function immutableCauses(
  object: KubeObject,
  old: KubeObject | null,
  fields: readonly string[],
): Cause[] {
  if (old?.immutable !== true) return []
  const changed = fields.filter(
    (field) => JSON.stringify(object[field]) !== JSON.stringify(old[field]),
  )
  if (object.immutable !== true) changed.unshift('immutable')
  return changed.map((field) =>
    causes.forbidden(field, 'field is immutable when `immutable` is set'),
  )
}

/** The API server's own rules for ConfigMaps. */
export const configMapHooks: KindHooks = {
  normalise: (object) => {
    mustBeBase64('ConfigMap', mapOf(object.binaryData))
    return object
  },
  validate: (object, old) => [
    ...keyCauses(object, ['data', 'binaryData']),
    ...repeatedKeys(object),
    ...(bytesIn(mapOf(object.data), 'utf8') + bytesIn(mapOf(object.binaryData), 'base64') > maxBytes
      ? [causes.tooLong('[]', maxBytes)]
      : []),
    ...immutableCauses(object, old, ['data', 'binaryData']),
  ],
}

const repeatedKeys = ({ data, binaryData }: KubeObject): Cause[] =>
  Object.keys(mapOf(binaryData))
    .filter((key) => key in mapOf(data))
    .map((key) => causes.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'))

/** The API server's own rules for Secrets. */
export const secretHooks: KindHooks = {
  normalise(object) {
    const { stringData, ...rest } = object
    const added = Object.fromEntries(
      Object.entries(mapOf(stringData)).map(([key, value]) => [
        key,
        Buffer.from(String(value)).toString('base64'),
      ]),
    )
    mustBeBase64('Secret', mapOf(object.data))
    const data = { ...mapOf(object.data), ...added }
    return {
      ...rest,
      ...(Object.keys(data).length > 0 ? { data } : {}),
      type: object.type ?? 'Opaque',
    }
  },
  validate: (object, old) => [
    ...keyCauses(object, ['data']),
    ...(bytesIn(mapOf(object.data), 'base64') > maxBytes ? [causes.tooLong('data', maxBytes)] : []),
    ...typeCauses(object),
    ...(old ? changedType(object, old) : []),
    ...immutableCauses(object, old, ['data']),
  ],
}

/** The keys that Secrets of each type must have. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
}

function typeCauses({ type, data, metadata: { annotations = {} } }: KubeObject): Cause[] {
  const values = mapOf(data)
  const missing = (key: string): Cause => causes.required(`data[${key}]`)
  if (type === 'kubernetes.io/service-account-token') {
    const account = 'kubernetes.io/service-account.name'
    return (annotations[account] ?? '') === ''
      ? [causes.required(`metadata.annotations[${account}]`)]
      : []
  }
  if (type === 'kubernetes.io/basic-auth') {
    const keys = ['username', 'password']
    return keys.some((key) => key in values) ? [] : keys.map(missing)
  }
  return (requiredKeys[String(type)] ?? []).flatMap((key) => {
    const value = values[key]
    if (value === undefined || (key === 'ssh-privatekey' && value === '')) return [missing(key)]
    return key.startsWith('.docker') ? jsonCauses(`data[${key}]`, String(value)) : []
  })
}

function jsonCauses(field: string, value: string): Cause[] {
  const text = Buffer.from(value, 'base64').toString()
  try {
    JSON.parse(text)
    return []
  } catch {
    const why =
      text === ''
        ? 'unexpected end of JSON input'
        : `invalid character '${text.charAt(0)}' looking for beginning of value`
    return [causes.invalid(field, '<secret contents redacted>', why)]
  }
}

const changedType = ({ type }: KubeObject, old: KubeObject): Cause[] =>
  type === old.type ? [] : [causes.invalid('type', type, 'field is immutable')]

function mustBeBase64(kind: string, data: JsonMap): void {
  for (const value of Object.values(data)) {
    const at = /[^A-Za-z0-9+/=\r\n]/.exec(String(value))?.index ?? -1
    const padded = String(value).replace(/[\r\n]/g, '').length % 4 === 0
    if (at >= 0 || !padded) {
      const byte = at >= 0 ? at : 4 * Math.floor(String(value).length / 4)
      throw refuse.badRequest(
        `${kind} in version "v1" cannot be handled as a ${kind}: illegal base64 data at input byte ${byte}`,
      )
    }
  }
}

const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})
