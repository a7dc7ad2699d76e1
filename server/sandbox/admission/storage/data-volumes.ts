import { isDeepStrictEqual } from 'node:util'
import { type Cause } from '../../objects/cause.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { ApiError } from '../../objects/status.ts'
import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { names } from '../../objects/storage/names.ts'
import { read } from '../../objects/read.ts'
import { numberOf } from '../../quantity.ts'
import { cloneToken, tokenAnnotation } from './clone-token.ts'
import { sourceCauses } from './data-volume-sources.ts'

const denial = (webhook: string, why: string): string =>
  `admission webhook "datavolume-${webhook}.cdi.kubevirt.io" denied the request: ${why}`

/**
 * CDI's mutating webhook. It refuses malformed quantities, resolves a source reference, and adds
 * the token of a clone.
 */
export function admitDataVolume(request: WebhookRequest): KubeObject {
  const { object, old } = request
  if (old || object.metadata.deletionTimestamp !== undefined) return object
  for (const size of sizesIn(object)) {
    if (size !== undefined && numberOf(size) === null) throw badQuantity(size)
  }
  const source = cloneSourceOf(request)
  if (source === null) return object
  const annotations = {
    ...object.metadata.annotations,
    [tokenAnnotation]: cloneToken(object, source),
  }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

const sizesIn = (object: KubeObject): (Json | undefined)[] =>
  ['pvc', 'storage'].map((field) =>
    read.at(object, 'spec', field, 'resources', 'requests', 'storage'),
  )

function badQuantity(size: Json): ApiError {
  const why =
    typeof size === 'string' && /^[+-]?[0-9.]+/.test(size)
      ? "unable to parse quantity's suffix"
      : "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
  return new ApiError({ status: 400, message: denial('mutate', why) })
}

/** The source of a clone, named directly or through a DataSource. Null when it is no clone. */
function cloneSourceOf({
  object,
  get,
}: WebhookRequest): { kind: 'pvc' | 'snapshot'; source: JsonMap } | null {
  const { namespace } = object.metadata
  const spec = read.spec(object)
  const ref = read.map(spec.sourceRef)
  let from = read.map(spec.source)
  if (ref.kind === 'DataSource' && spec.source === undefined) {
    const name = read.text(ref.name)
    const dataSource = get(
      'datasources.cdi.kubevirt.io',
      read.text(ref.namespace) || namespace,
      name,
    )
    if (!dataSource)
      throw new ApiError({
        status: 400,
        message: denial('mutate', `datasources.cdi.kubevirt.io "${name}" not found`),
      })
    from = read.map(read.spec(dataSource).source)
  }
  for (const kind of ['pvc', 'snapshot'] as const) {
    if (from[kind] !== undefined) return { kind, source: { namespace, ...read.map(from[kind]) } }
  }
  return null
}

/** CDI's validating webhook. Its denials have no reason, and their messages begin with a space. */
export function reviewDataVolume(request: WebhookRequest): void {
  const cause = request.old ? changeCause(request.object, request.old) : createCause(request)
  if (cause === null) return
  const { field, ...rest } = cause
  const shown = field === '' ? rest : cause
  const message = denial('validate', ` ${cause.message}`)
  throw new ApiError({ status: 422, message, details: { causes: [shown] } })
}

const wrong = (field: string, message: string): Cause => ({
  reason: 'FieldValueInvalid',
  message,
  field,
})
const duplicate = (field: string, message: string): Cause => ({
  reason: 'FieldValueDuplicate',
  message,
  field,
})

const changeCause = (object: KubeObject, old: KubeObject): Cause | null =>
  isDeepStrictEqual(object.spec, old.spec) || object.metadata.deletionTimestamp !== undefined
    ? null
    : duplicate('DataVolume.Spec', 'Cannot update DataVolume Spec')

/** Returns the first problem. CDI does not look further either. */
function createCause(request: WebhookRequest): Cause | null {
  const { object } = request
  const spec = read.spec(object)
  return existingCause(request) ?? storageCause(spec) ?? sourceCauses(request)[0] ?? sizeCause(spec)
}

function existingCause({ object, get }: WebhookRequest): Cause | null {
  const { namespace, name, annotations } = object.metadata
  const existing = get(names.claims, namespace, name)
  if (!existing || annotations?.['cdi.kubevirt.io/allowClaimAdoption'] === 'true') return null
  const marks = existing.metadata.annotations
  if (
    marks?.['cdi.kubevirt.io/storage.populatedFor'] === name ||
    marks?.['cdi.kubevirt.io/allowClaimAdoption'] === 'true'
  )
    return null
  if (annotations?.['cdi.kubevirt.io/storage.prePopulated'] === name) return null
  return duplicate('DataVolume.Name', `Destination PVC ${namespace}/${name} already exists`)
}

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']

function storageCause(spec: JsonMap): Cause | null {
  if (spec.pvc === undefined && spec.storage === undefined)
    return wrong('spec.PVC', 'Missing Data volume PVC')
  if (spec.pvc !== undefined && spec.storage !== undefined) {
    return wrong(
      'spec.PVC.Storage',
      'Duplicate storage definition, both target storage and target pvc defined',
    )
  }
  const target = read.map(spec.pvc ?? spec.storage)
  if (
    target.dataSource !== undefined &&
    target.dataSourceRef !== undefined &&
    !isSame(target.dataSource, target.dataSourceRef)
  ) {
    return wrong('', 'DataSourceRef and DataSource must match')
  }
  return modesCause(read.texts(target.accessModes), spec.pvc !== undefined)
}

const isSame = (source: Json, ref: Json): boolean =>
  ['apiGroup', 'kind', 'name'].every((field) => read.map(source)[field] === read.map(ref)[field])

function modesCause(modes: readonly string[], isClaim: boolean): Cause | null {
  const field = 'spec.PVC.accessModes'
  if (isClaim && modes.length === 0)
    return wrong(field, 'Required value: at least 1 access mode is required')
  if (isClaim && modes.length > 1) return wrong(field, 'PVC multiple accessModes')
  const unknown = modes.find((mode) => !accessModes.includes(mode))
  if (unknown === undefined) return null
  const list = accessModes.map((mode) => JSON.stringify(mode)).join(', ')
  return wrong(field, `Unsupported value: ${JSON.stringify(unknown)}: supported values: ${list}`)
}

/** A size is required unless `storage` is copied from a source, which has a size. */
function sizeCause(spec: JsonMap): Cause | null {
  const [what, path] = spec.pvc === undefined ? ['Storage', 'spec.Storage'] : ['PVC', 'spec.PVC']
  const field = `${path}.resources.requests.size`
  const size = read.at(
    spec,
    spec.pvc === undefined ? 'storage' : 'pvc',
    'resources',
    'requests',
    'storage',
  )
  const source = read.map(spec.source)
  const isCopy =
    source.pvc !== undefined || source.snapshot !== undefined || spec.sourceRef !== undefined
  if (size === undefined)
    return isCopy && spec.pvc === undefined ? null : wrong(field, `${what} size is missing`)
  return (numberOf(size) ?? 0) > 0
    ? null
    : wrong(field, `${what} size can't be equal or less than zero`)
}
