import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { type Cause } from '../../objects/cause.ts'
import { refuse } from '../../objects/status.ts'

/** The API server's own rules for namespaces. */
export const namespaceHooks: KindHooks = {
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

const configKey = /^[-._a-zA-Z0-9]+$/

function keyCauses(object: KubeObject, fields: readonly string[]): Cause[] {
  return fields.flatMap((field) =>
    Object.keys(mapOf(object[field]))
      .filter((key) => !configKey.test(key))
      .map((key) => ({
        reason: 'FieldValueInvalid',
        message: `Invalid value: "${key}": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')`,
        field: `${field}[${key}]`,
      })),
  )
}

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
  return changed.map((field) => ({
    reason: 'FieldValueForbidden',
    message: 'Forbidden: field is immutable when `immutable` is set',
    field,
  }))
}

/** The API server's own rules for ConfigMaps. */
export const configMapHooks: KindHooks = {
  validate: (object, old) => [
    ...keyCauses(object, ['data', 'binaryData']),
    ...immutableCauses(object, old, ['data', 'binaryData']),
  ],
}

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
    const data = { ...mapOf(object.data), ...added }
    mustBeBase64(data)
    return {
      ...rest,
      ...(Object.keys(data).length > 0 ? { data } : {}),
      type: object.type ?? 'Opaque',
    }
  },
  validate: (object, old) => [
    ...accountCauses(object),
    ...keyCauses(object, ['data']),
    ...immutableCauses(object, old, ['data']),
  ],
}

/** A Secret for the token of a service account names the account. */
function accountCauses({ type, metadata: { annotations = {} } }: KubeObject): Cause[] {
  const annotation = 'kubernetes.io/service-account.name'
  if (type !== 'kubernetes.io/service-account-token' || (annotations[annotation] ?? '') !== '')
    return []
  return [
    {
      reason: 'FieldValueRequired',
      message: 'Required value',
      field: `metadata.annotations[${annotation}]`,
    },
  ]
}

function mustBeBase64(data: JsonMap): void {
  for (const value of Object.values(data)) {
    const at = /[^A-Za-z0-9+/=\r\n]/.exec(String(value))?.index ?? -1
    const padded = String(value).replace(/[\r\n]/g, '').length % 4 === 0
    if (at >= 0 || !padded) {
      const byte = at >= 0 ? at : String(value).length
      throw refuse.badRequest(
        `Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte ${byte}`,
      )
    }
  }
}

const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})
