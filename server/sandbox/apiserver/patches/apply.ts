import { clock } from '../../clock.ts'
import {
  type Json,
  type JsonMap,
  type KubeObject,
  type ManagedField,
  isMap,
} from '../../objects/types.ts'
import { type Answer, type Call } from '../request.ts'
import { type Resource, apiVersionOf } from '../../objects/resource.ts'
import { ApiError, refuse } from '../../objects/status.ts'
import { mustBeAllowed } from '../authorization/must-be-allowed.ts'
import { storeNew } from '../create.ts'
import { typedPatch } from './typed-patch.ts'
import {
  type FieldOwner,
  newEntry,
  ordered,
  ownersAfterUpdate,
  withPaths,
} from './managed-fields.ts'
import { difference, fieldsOf } from './fields.ts'
import { elementsOf } from './field-path.ts'
import { pathsOf, readablePath } from './fields-v1.ts'
import { mergeApplied, withoutPaths } from './merge.ts'
import { mustMatchPath, storeUpdate } from '../update.ts'
import { parseYaml } from '../requests/parsers.ts'
import { type WriteOptions, invalidOptions, writeOptions } from '../requests/options.ts'
import { shapedObject } from '../shape.ts'

/*
 * Server-side apply. A manager sends exactly the fields that it wants to own. A field that it owned
 * and now omits is removed, unless another manager owns it too. A different value for a field of
 * another manager is a conflict; a forced apply takes the field over.
 */
export function applyObject(call: Call): Answer {
  const { resource, store } = call
  const name = call.name ?? ''
  const options = writeOptions(call.query, 'PatchOptions')
  const applied = configurationIn(call, options)
  const manager: FieldOwner = {
    name: namedOwner(call),
    operation: 'Apply',
    subresource: call.subresource === 'status' ? 'status' : undefined,
  }
  const live = store.get(resource, call.namespace, name)
  const warnings: string[] = []
  if (live)
    return {
      status: 200,
      body: shapedObject(call, applyOver(call, { live, applied, manager, options, warnings })),
      warnings,
    }
  const uid = applied.metadata.uid ?? ''
  if (uid !== '') {
    throw refuse.conflict(
      resource,
      name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    )
  }
  mustBeAllowed(store, call.user, {
    verb: 'create',
    group: resource.group,
    resource: resource.plural,
    subresource: '',
    namespace: call.namespace ?? '',
    name,
  })
  const { resourceVersion: _version, ...metadata } = applied.metadata
  const owned = new Set(fieldsOf(resource, applied, 'leaves').keys())
  const owners = (): ManagedField[] =>
    ordered([{ ...withPaths(newEntry(resource, manager), owned), time: clock.timestamp() }])
  const created = storeNew(store, resource, {
    object: { ...applied, metadata },
    owners,
    user: call.user,
    options,
    warnings,
  })
  return { status: 201, body: shapedObject(call, created), warnings }
}

function configurationIn(call: Call, { fieldValidation }: WriteOptions): KubeObject {
  const { resource } = call
  const value = appliedValue(call.body.toString('utf8'), fieldValidation)
  const configuration = isMap(value) ? value : {}
  if (configuration.apiVersion !== apiVersionOf(resource) || configuration.kind !== resource.kind)
    throw wrongKind(configuration)
  const metadata = isMap(configuration.metadata) ? configuration.metadata : {}
  if (metadata.managedFields !== undefined)
    throw refuse.badRequest('metadata.managedFields must be nil')
  mustMatchPath(call, configuration)
  const pruned = typedPatch(resource, configuration)
  const namespace = call.namespace === undefined ? {} : { namespace: call.namespace }
  // The cast holds because the schema check validated metadata, and kind and version were compared
  // above.
  const object = pruned as KubeObject
  return { ...object, metadata: { ...object.metadata, name: call.name ?? '', ...namespace } }
}

function appliedValue(text: string, fieldValidation: WriteOptions['fieldValidation']): Json {
  const converting = 'error converting YAML to JSON: '
  const { value, repeated } = parseYaml(text, (why) =>
    refuse.badRequest(`error decoding YAML: ${converting}${why}`),
  )
  if (repeated.length === 0 || fieldValidation !== 'Strict') return value
  throw refuse.badRequest(
    `error strict decoding YAML: ${converting}yaml: unmarshal errors:\n  ${repeated.join('\n  ')}`,
  )
}

function wrongKind(configuration: JsonMap): ApiError {
  const [version = '', group = ''] = String(configuration.apiVersion ?? '/')
    .split('/')
    .reverse()
  return refuse.badRequest(
    `invalid object type: ${group}/${version}, Kind=${configuration.kind ?? ''}`,
  )
}

function namedOwner(call: Call): string {
  const name = call.query.get('fieldManager') ?? ''
  if (name !== '') return name
  throw invalidOptions('PatchOptions', {
    reason: 'FieldValueRequired',
    message: 'Required value: is required for apply patch',
    field: 'fieldManager',
  })
}

interface Apply {
  live: KubeObject
  applied: KubeObject
  manager: FieldOwner
  options: WriteOptions
  warnings: string[]
}

function applyOver(call: Call, { live, applied, manager, options, warnings }: Apply): KubeObject {
  const { resource } = call
  const entries = entriesBefore(resource, live)
  const own = entries.find(
    (entry) =>
      entry.manager === manager.name &&
      entry.operation === 'Apply' &&
      entry.subresource === manager.subresource,
  )
  const otherEntries = entries.filter((entry) => entry !== own)
  const appliedPaths = new Set(fieldsOf(resource, applied, 'leaves').keys())
  const merged = merge(resource, {
    live,
    applied,
    dropped: droppedPaths(own, otherEntries, appliedPaths),
  })
  const { added, modified, removed } = difference(
    fieldsOf(resource, live, 'leaves'),
    fieldsOf(resource, merged, 'leaves'),
  )
  const touched = added.union(modified)
  if (!options.force) mustNotConflict(otherEntries, touched)
  const remaining = otherEntries.map((entry) =>
    withPaths(entry, pathsOf(entry.fieldsV1).difference(touched).difference(removed)),
  )
  const entry = withPaths(own ?? newEntry(resource, manager), appliedPaths)
  const changed = touched.size > 0 || removed.size > 0
  const owners = ordered([...remaining, changed ? { ...entry, time: clock.timestamp() } : entry])
  return storeUpdate(call, { old: live, next: merged, options, owners, warnings })
}

/** The field owners before an apply. An object without any is owned by `before-first-apply`. */
function entriesBefore(resource: Resource, live: KubeObject): readonly ManagedField[] {
  const { managedFields = [] } = live.metadata
  if (managedFields.length > 0) return managedFields
  const manager = { name: 'before-first-apply', operation: 'Update' as const }
  return ownersAfterUpdate(resource, { old: null, next: live, manager })
}

/**
 * Returns the paths that this manager applied before and now omits, and that no other manager owns.
 */
function droppedPaths(
  own: ManagedField | undefined,
  otherEntries: readonly ManagedField[],
  appliedPaths: ReadonlySet<string>,
): Set<string> {
  if (!own) return new Set()
  const otherPaths = otherEntries.reduce(
    (all, entry) => all.union(pathsOf(entry.fieldsV1)),
    new Set<string>(),
  )
  const dropped = pathsOf(own.fieldsV1).difference(appliedPaths)
  // A map or list stays while a manager owns a field in it.
  const inUse = (path: string): boolean =>
    [...otherPaths, ...appliedPaths].some(
      (other) => other === path || other.startsWith(`${path}\u0000`),
    )
  return new Set([...dropped].filter((path) => !inUse(path)))
}

function merge(
  resource: Resource,
  { live, applied, dropped }: { live: KubeObject; applied: KubeObject; dropped: Set<string> },
): KubeObject {
  const { metadata, ...rest } = applied
  const {
    uid = live.metadata.uid,
    resourceVersion = live.metadata.resourceVersion,
    ...appliedMetadata
  } = metadata
  const base = withoutPaths<JsonMap>(live, dropped, resource.schema)
  // The cast holds because both objects have the same kind.
  const merged = mergeApplied(
    base,
    { ...rest, metadata: appliedMetadata },
    resource.schema,
  ) as KubeObject
  // The store compares the uid and version that the client sent.
  return { ...merged, metadata: { ...merged.metadata, uid, resourceVersion } }
}

function mustNotConflict(
  otherEntries: readonly ManagedField[],
  touched: ReadonlySet<string>,
): void {
  const conflicts = otherEntries.flatMap((entry) => {
    const through =
      entry.subresource === undefined ? '' : ` with subresource "${entry.subresource}"`
    const who = `"${entry.manager}"${through}${entry.operation === 'Update' ? ` using ${entry.apiVersion}` : ''}`
    return [...pathsOf(entry.fieldsV1).intersection(touched)]
      .sort(byDepth)
      .map((path) => ({ who, field: readablePath(path) }))
  })
  if (conflicts.length === 0) return
  throw new ApiError({
    status: 409,
    reason: 'Conflict',
    message: conflictSentence(conflicts),
    details: {
      causes: conflicts.map(({ who, field }) => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${who}`,
        field,
      })),
    },
  })
}

/** Orders paths by their elements; a field comes before the fields of its siblings. */
function byDepth(one: string, other: string): number {
  const [a, b] = [elementsOf(one), elementsOf(other)]
  const at = a.findIndex((element, index) => element !== b[index])
  if (at < 0) return a.length - b.length
  const isLast = (elements: readonly string[]): number => (elements.length === at + 1 ? 0 : 1)
  return isLast(a) - isLast(b) || ((a[at] ?? '') < (b[at] ?? '') ? -1 : 1)
}

function conflictSentence(conflicts: readonly { who: string; field: string }[]): string {
  const [first, ...more] = conflicts
  if (first && more.length === 0)
    return `Apply failed with 1 conflict: conflict with ${first.who}: ${first.field}`
  const byManager = Map.groupBy(conflicts, ({ who }) => who)
  const parts = [...byManager].map(
    ([who, fields]) =>
      `conflicts with ${who}:\n${fields.map(({ field }) => `- ${field}`).join('\n')}`,
  )
  return `Apply failed with ${conflicts.length} conflicts: ${parts.join('\n')}`
}
