import { isDeepStrictEqual } from 'node:util'
import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { type Cause } from '../../objects/cause.ts'
import { numberOf } from '../../quantity.ts'
import { changedLines } from './changed-lines.ts'

/** The API server's own rules for a PersistentVolumeClaim. Controllers bind it to a volume. */
export const claimHooks: KindHooks = {
  onCreate: (claim) => ({
    ...claim,
    spec: { volumeMode: 'Filesystem', ...mapOf(claim.spec) },
    status: { phase: 'Pending' },
  }),
  validate: (claim, old) => (old ? changeCauses(claim, old) : specCauses(mapOf(claim.spec))),
}

const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const volumeModes = ['Block', 'Filesystem']

function specCauses(spec: JsonMap): Cause[] {
  const { volumeMode } = spec
  return [
    ...modeCauses(listOf(spec.accessModes)),
    ...sizeCauses(requestsOf(spec)['storage']),
    ...(volumeMode === undefined || volumeModes.includes(String(volumeMode))
      ? []
      : [unsupported('spec.volumeMode', volumeMode, volumeModes)]),
  ]
}

const requestsOf = (spec: JsonMap): JsonMap => mapOf(mapOf(spec.resources)['requests'])

const unsupported = (field: string, value: Json, supported: readonly string[]): Cause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.map((each) => JSON.stringify(each)).join(', ')}`,
  field,
})

const forbidden = (field: string, why: string): Cause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${why}`,
  field,
})

function modeCauses(modes: readonly Json[]): Cause[] {
  const field = 'spec.accessModes'
  if (modes.length === 0)
    return [
      {
        reason: 'FieldValueRequired',
        message: 'Required value: at least 1 access mode is required',
        field,
      },
    ]
  const unknown = modes
    .filter((mode) => !accessModes.includes(String(mode)))
    .map((mode) => unsupported(field, mode, accessModes))
  const isMixed = modes.includes('ReadWriteOncePod') && modes.length > 1
  return [
    ...unknown,
    ...(isMixed ? [forbidden(field, 'may not use ReadWriteOncePod with other access modes')] : []),
  ]
}

function sizeCauses(size: Json | undefined): Cause[] {
  const field = 'spec.resources[storage]'
  if (size === undefined)
    return [{ reason: 'FieldValueRequired', message: 'Required value', field }]
  const bytes = numberOf(size) ?? 0
  const mustBe = (what: string): Cause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(String(size))}: must be ${what}`,
    field,
  })
  return [
    ...(bytes < 0 ? [mustBe('greater than or equal to 0')] : []),
    ...(bytes <= 0 ? [mustBe('greater than zero')] : []),
  ]
}

const immutable =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

function changeCauses(claim: KubeObject, old: KubeObject): Cause[] {
  const [before, after] = [mapOf(old.spec), mapOf(claim.spec)]
  const isBound = mapOf(old.status)['phase'] === 'Bound'
  const allowed = allowedSpec(before, after, isBound)
  const causes = isDeepStrictEqual(allowed, before)
    ? []
    : [forbidden('spec', `${immutable}\n${changedLines(spelledOut(before), spelledOut(allowed))}`)]
  return isBound ? [...causes, ...shrinkCauses(claim, after)] : causes
}

/**
 * The new spec with the old values of the fields that may change. These are the first binding, and
 * the size and attributes class of a bound claim.
 */
function allowedSpec(before: JsonMap, after: JsonMap, isBound: boolean): JsonMap {
  const { volumeName, volumeAttributesClassName, resources, ...rest } = after
  const isNewlyBound = (before.volumeName ?? '') === ''
  const { requests: _requests, ...otherResources } = mapOf(resources)
  const allowed: JsonMap = {
    ...rest,
    volumeName: isNewlyBound ? before.volumeName : volumeName,
    volumeAttributesClassName: isBound
      ? before.volumeAttributesClassName
      : volumeAttributesClassName,
    resources: isBound
      ? { ...otherResources, requests: mapOf(before.resources)['requests'] }
      : resources,
  }
  return Object.fromEntries(Object.entries(allowed).filter(([, value]) => value !== undefined))
}

function shrinkCauses(claim: KubeObject, spec: JsonMap): Cause[] {
  const capacity = numberOf(mapOf(mapOf(claim.status)['capacity'])['storage']) ?? 0
  const size = numberOf(requestsOf(spec)['storage']) ?? 0
  const why = 'field can not be less than status.capacity'
  return size < capacity ? [forbidden('spec.resources.requests.storage', why)] : []
}

/** The spec with the field names and field order of the Go type, as the API server prints it. */
function spelledOut(spec: JsonMap): Json {
  const { limits = null, requests = null } = mapOf(spec.resources)
  return {
    AccessModes: spec.accessModes ?? null,
    Selector: spec.selector ?? null,
    Resources: { Limits: limits, Requests: requests },
    VolumeName: spec.volumeName ?? '',
    StorageClassName: spec.storageClassName ?? null,
    VolumeMode: spec.volumeMode ?? null,
    DataSource: reference(spec.dataSource, ['apiGroup', 'kind', 'name']),
    DataSourceRef: reference(spec.dataSourceRef, ['apiGroup', 'kind', 'name', 'namespace']),
    VolumeAttributesClassName: spec.volumeAttributesClassName ?? null,
  }
}

const goName = (field: string): string =>
  field === 'apiGroup' ? 'APIGroup' : `${field.charAt(0).toUpperCase()}${field.slice(1)}`

const reference = (value: Json | undefined, fields: readonly string[]): Json =>
  isMap(value)
    ? Object.fromEntries(fields.map((field) => [goName(field), value[field] ?? null]))
    : null
