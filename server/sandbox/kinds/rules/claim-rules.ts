import { isDeepStrictEqual } from 'node:util'
import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { type KindHooks } from '../../objects/resource.ts'
import { type Cause, causes, choice, problems } from '../../objects/cause.ts'
import { formats } from '../../objects/formats.ts'
import { selectorCauses } from '../../objects/selector-causes.ts'
import { numberOf } from '../../quantity.ts'
import { changedLines } from './changed-lines.ts'

/** The API server's own rules for a PersistentVolumeClaim. Controllers bind it to a volume. */
export const claimHooks: KindHooks = {
  onCreate: (claim) => ({
    ...claim,
    status: { phase: 'Pending' },
  }),
  normalise: (claim) => ({
    ...claim,
    spec: { volumeMode: 'Filesystem', ...mapOf(claim.spec) },
  }),
  validate: (claim, old) => (old ? changeCauses(claim, old) : specCauses(mapOf(claim.spec))),
}

const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const volumeModes = ['Block', 'Filesystem']

function specCauses(spec: JsonMap): Cause[] {
  const { volumeMode, storageClassName, volumeAttributesClassName } = spec
  return [
    ...modeCauses(listOf(spec.accessModes)),
    ...selectorCauses('spec.selector', spec.selector),
    ...sizeCauses(requestsOf(spec)['storage']),
    ...classCauses('spec.storageClassName', storageClassName),
    ...(volumeMode === undefined ? [] : choice('spec.volumeMode', volumeMode, volumeModes)),
    ...sourceCauses('spec.dataSource', spec.dataSource),
    ...sourceCauses('spec.dataSourceRef', spec.dataSourceRef),
    ...(isOtherSource(spec) ? [mustMatch] : []),
    ...classCauses('spec.volumeAttributesClassName', volumeAttributesClassName),
  ]
}

const classCauses = (field: string, name: Json | undefined): Cause[] =>
  typeof name === 'string' && name !== '' ? problems(field, name, formats.subdomain(name)) : []

/** Only a claim needs no group. */
function sourceCauses(field: string, source: Json | undefined): Cause[] {
  if (!isMap(source)) return []
  const { apiGroup, kind } = source
  const required = (['name', 'kind'] as const).filter((key) => (source[key] ?? '') === '')
  const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
  const isGroupMissing = (apiGroup ?? '') === '' && kind !== 'PersistentVolumeClaim'
  return [
    ...required.map((key) => causes.required(`${field}.${key}`)),
    ...(isGroupMissing ? [causes.invalid(field, kind, why)] : []),
    ...((apiGroup ?? '') === ''
      ? []
      : problems(`${field}.apiGroup`, apiGroup, formats.subdomain(String(apiGroup)))),
  ]
}

const isOtherSource = ({ dataSource, dataSourceRef }: JsonMap): boolean =>
  isMap(dataSource) &&
  isMap(dataSourceRef) &&
  ['apiGroup', 'kind', 'name'].some((key) => (dataSource[key] ?? '') !== (dataSourceRef[key] ?? ''))

const mustMatch = causes.invalid('spec', {}, 'must match dataSourceRef')

const requestsOf = (spec: JsonMap): JsonMap => mapOf(mapOf(spec.resources)['requests'])

function modeCauses(modes: readonly Json[]): Cause[] {
  const field = 'spec.accessModes'
  if (modes.length === 0) return [causes.required(field, 'at least 1 access mode is required')]
  const unknown = modes
    .filter((mode) => !accessModes.includes(String(mode)))
    .map((mode) => causes.unsupported(field, mode, accessModes))
  const isMixed = modes.includes('ReadWriteOncePod') && modes.length > 1
  return [
    ...unknown,
    ...(isMixed
      ? [causes.forbidden(field, 'may not use ReadWriteOncePod with other access modes')]
      : []),
  ]
}

function sizeCauses(size: Json | undefined): Cause[] {
  const field = 'spec.resources[storage]'
  if (size === undefined) return [causes.required(field)]
  const bytes = numberOf(size) ?? 0
  const mustBe = (what: string): Cause => causes.invalid(field, String(size), `must be ${what}`)
  return [...(bytes <= 0 ? [mustBe('greater than zero')] : [])]
}

const immutable =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

function changeCauses(claim: KubeObject, old: KubeObject): Cause[] {
  const [before, after] = [mapOf(old.spec), mapOf(claim.spec)]
  const isBound = mapOf(old.status)['phase'] === 'Bound'
  const allowed = allowedSpec(before, after, isBound)
  const changes = isDeepStrictEqual(allowed, before)
    ? []
    : [
        causes.forbidden(
          'spec',
          `${immutable}\n${changedLines(spelledOut(before), spelledOut(allowed))}`,
        ),
      ]
  const mode =
    before.volumeMode === after.volumeMode
      ? []
      : [causes.invalid('volumeMode', after.volumeMode, 'field is immutable')]
  return [...changes, ...mode, ...(isBound ? shrinkCauses(claim, after) : [])]
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
  return size < capacity ? [causes.forbidden('spec.resources.requests.storage', why)] : []
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
