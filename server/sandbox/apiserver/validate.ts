import { type KubeObject } from '../objects/types.ts'
import { type Resource } from '../objects/resource.ts'
import { type Cause } from '../objects/cause.ts'
import { schemaCauses } from './schemas/structural.ts'

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/
const qualifiedName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/

const texts = {
  label:
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  subdomain:
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  labelValue:
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
  labelKey:
    "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
  finalizer: 'name is neither a standard finalizer name nor is it fully qualified',
}

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion']

const invalidValue = (field: string, value: string, why: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
  field,
})

/** Returns all validation errors of an object: metadata, schema, and the rules of its kind. */
export const objectCauses = (
  resource: Resource,
  object: KubeObject,
  old: KubeObject | null,
): Cause[] => [
  ...metaCauses(resource, object, old),
  ...schemaCauses(resource, object, old),
  ...(resource.hooks.validate?.(object, old) ?? []),
]

/**
 * Returns a warning for each new finalizer of a custom kind that has no domain and path (`/`). The
 * built-in kinds refuse such names.
 */
export function finalizerWarnings(
  resource: Resource,
  object: KubeObject,
  old: KubeObject | null,
): string[] {
  if (!resource.custom) return []
  const known = [...standardFinalizers, ...(old?.metadata.finalizers ?? [])]
  const unqualified = (object.metadata.finalizers ?? [])
    .filter((name) => !name.includes('/') && !known.includes(name))
    .sort()
  return unqualified.map(
    (name) =>
      `299 - ${JSON.stringify(`metadata.finalizers: ${JSON.stringify(name)}: ${preferQualifiedName}`)}`,
  )
}

const preferQualifiedName =
  'prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers'

/** Validates the metadata, which all kinds share. */
function metaCauses(resource: Resource, object: KubeObject, old: KubeObject | null): Cause[] {
  const { metadata } = object
  return [
    ...(old ? [] : nameCauses(resource, metadata.name)),
    ...labelCauses(metadata.labels ?? {}),
    ...annotationCauses(metadata.annotations ?? {}),
    ...ownerCauses(object),
    ...(resource.custom ? [] : finalizerCauses(metadata.finalizers ?? [])),
    ...(old ? addedFinalizerCauses(resource, object, old) : []),
  ]
}

export const nameRequired: Cause = {
  reason: 'FieldValueRequired',
  message: 'Required value: name or generateName is required',
  field: 'metadata.name',
}

function nameCauses(resource: Resource, name: string): Cause[] {
  if (resource.names === 'path') return pathNameCauses(name)
  const [limit, pattern] =
    resource.names === 'label' ? ([63, label] as const) : ([253, subdomain] as const)
  const causes: Cause[] = []
  if (name.length > limit)
    causes.push(invalidValue('metadata.name', name, `must be no more than ${limit} characters`))
  if (!pattern.test(name)) causes.push(invalidValue('metadata.name', name, texts[resource.names]))
  return causes
}

function pathNameCauses(name: string): Cause[] {
  if (name === '.' || name === '..')
    return [invalidValue('metadata.name', name, `may not be '${name}'`)]
  return ['/', '%']
    .filter((part) => name.includes(part))
    .map((part) => invalidValue('metadata.name', name, `may not contain '${part}'`))
}

function labelCauses(labels: Readonly<Record<string, string>>): Cause[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...keyCauses('metadata.labels', key),
    ...(value.length > 63
      ? [invalidValue('metadata.labels', value, 'must be no more than 63 bytes')]
      : []),
    ...(labelValue.test(value) ? [] : [invalidValue('metadata.labels', value, texts.labelValue)]),
  ])
}

function annotationCauses(annotations: Readonly<Record<string, string>>): Cause[] {
  const causes = Object.keys(annotations).flatMap((key) =>
    keyCauses('metadata.annotations', key.toLowerCase()),
  )
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  const limit = 256 * 1024
  if (bytes <= limit) return causes
  return [
    ...causes,
    {
      reason: 'FieldValueTooLong',
      message: `Too long: may not be more than ${limit} bytes`,
      field: 'metadata.annotations',
    },
  ]
}

function keyCauses(field: string, key: string): Cause[] {
  const [name = '', prefix, ...more] = key.split('/').reverse()
  if (more.length > 0 || !qualifiedName.test(name))
    return [invalidValue(field, key, texts.labelKey)]
  if (name.length > 63) return [invalidValue(field, key, 'name part must be no more than 63 bytes')]
  if (prefix === undefined || subdomain.test(prefix)) return []
  return [invalidValue(field, key, `prefix part ${texts.subdomain}`)]
}

function ownerCauses(object: KubeObject): Cause[] {
  const fields = ['apiVersion', 'kind', 'name', 'uid'] as const
  return (object.metadata.ownerReferences ?? []).flatMap((owner) =>
    fields
      .filter((field) => (owner[field] ?? '') === '')
      .map((field) =>
        invalidValue(
          `metadata.ownerReferences.${field}`,
          '',
          field === 'apiVersion' ? 'version must not be empty' : 'must not be empty',
        ),
      ),
  )
}

function finalizerCauses(finalizers: readonly string[]): Cause[] {
  return finalizers.flatMap((name, index) =>
    name.includes('/') || standardFinalizers.includes(name)
      ? []
      : [invalidValue(`metadata.finalizers[${index}]`, name, texts.finalizer)],
  )
}

/** Kubernetes checks this twice for custom kinds, so its response has the error twice. */
function addedFinalizerCauses(resource: Resource, object: KubeObject, old: KubeObject): Cause[] {
  if (old.metadata.deletionTimestamp === undefined) return []
  const known = old.metadata.finalizers ?? []
  const added = (object.metadata.finalizers ?? []).filter((name) => !known.includes(name))
  if (added.length === 0) return []
  const list = added.map((name) => JSON.stringify(name)).join(', ')
  const cause: Cause = {
    reason: 'FieldValueForbidden',
    message: `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    field: 'metadata.finalizers',
  }
  return resource.custom ? [cause, { ...cause }] : [cause]
}
