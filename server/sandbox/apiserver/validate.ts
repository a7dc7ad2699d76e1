import { type KubeObject } from '../objects/types.ts'
import { type Resource } from '../objects/resource.ts'
import { type Cause, causes, problems } from '../objects/cause.ts'
import { formats } from '../objects/formats.ts'
import { labelCauses } from '../objects/selector-causes.ts'
import { schemaCauses } from './schemas/structural.ts'

const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion']

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
    ...labelCauses('metadata.labels', metadata.labels ?? {}),
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
  return problems('metadata.name', name, formats[resource.names](name))
}

function pathNameCauses(name: string): Cause[] {
  if (name === '.' || name === '..')
    return [causes.invalid('metadata.name', name, `may not be '${name}'`)]
  return ['/', '%']
    .filter((part) => name.includes(part))
    .map((part) => causes.invalid('metadata.name', name, `may not contain '${part}'`))
}

function annotationCauses(annotations: Readonly<Record<string, string>>): Cause[] {
  const field = 'metadata.annotations'
  const wrong = Object.keys(annotations).flatMap((key) =>
    problems(field, key, formats.qualifiedName(key.toLowerCase())),
  )
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  )
  const limit = 256 * 1024
  return bytes <= limit ? wrong : [...wrong, causes.tooLong(field, limit)]
}

function ownerCauses(object: KubeObject): Cause[] {
  return [...incompleteOwners(object), ...controllerCauses(object)]
}

function controllerCauses({ metadata: { ownerReferences = [] } }: KubeObject): Cause[] {
  const [first, second] = ownerReferences.filter(({ controller }) => controller === true)
  if (!first || !second) return []
  const named = [first, second].map(({ kind, name }) => `${kind}/${name}`).join(' and ')
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${named}`
  return [causes.invalid('metadata.ownerReferences', ownerReferences, why)]
}

function incompleteOwners(object: KubeObject): Cause[] {
  const fields = ['apiVersion', 'kind', 'name', 'uid'] as const
  return (object.metadata.ownerReferences ?? []).flatMap((owner) =>
    fields
      .filter((field) => (owner[field] ?? '') === '')
      .map((field) =>
        causes.invalid(
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
      : [
          causes.invalid(
            `metadata.finalizers[${index}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
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
