import { isDeepStrictEqual } from 'node:util'
import { read } from '../objects/read.ts'
import {
  type Json,
  type JsonMap,
  type KubeObject,
  type ManagedField,
  isMap,
} from '../objects/types.ts'
import { type Answer, type Call } from './request.ts'
import { type Resource, type Schema } from '../objects/resource.ts'
import { invalid, refuse } from '../objects/status.ts'
import { objectInBody } from './requests/body.ts'
import { admitObject } from './admission.ts'
import { clientName } from './requests/client-name.ts'
import { type FieldOwner, ownersAfterUpdate } from './patches/managed-fields.ts'
import { finalizerWarnings } from './validate.ts'
import { type WriteOptions, writeOptions } from './requests/options.ts'
import { isFinished } from './lifecycle.ts'
import { keepingWarnings } from './requests/warnings.ts'
import { shapedObject } from './shape.ts'
import { hasEmpty, storedForm } from '../objects/stored-form.ts'
import { fieldUpdateOf } from './subresources/field-updates.ts'

/** Handles PUT: replaces an object with the one in the body. */
export function replaceObject(call: Call): Answer {
  const options = writeOptions(call.query, 'UpdateOptions')
  const { object, warnings } = objectInBody(call, options)
  mustMatchPath(call, object)
  const old = call.store.get(call.resource, call.namespace, call.name ?? '')
  if (!old) throw refuse.notFound(call.resource, call.name ?? '')
  if (call.resource.updates === 'conditional' && !object.metadata.resourceVersion)
    throw versionRequired(call.resource, old.metadata.name)
  const stored = keepingWarnings(warnings, () =>
    storeUpdate(call, { old, next: object, options, warnings }),
  )
  return {
    status: 200,
    body: shapedObject(call, stored),
    warnings: [...warnings, ...finalizerWarnings(call.resource, stored, old)],
  }
}

/** Refuses an object whose name or namespace differs from that in the URL. */
export function mustMatchPath(call: Pick<Call, 'name' | 'namespace'>, object: JsonMap): void {
  const metadata = isMap(object.metadata) ? object.metadata : {}
  const { name = call.name, namespace = call.namespace } = metadata
  if (name !== call.name)
    throw refuse.badRequest(
      `the name of the object (${name}) does not match the name on the URL (${call.name})`,
    )
  if (namespace !== call.namespace) {
    throw refuse.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
  }
}

function versionRequired(resource: Resource, name: string): Error {
  const label = resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`
  return invalid({ kind: resource.plural, group: resource.group, label }, name, [
    {
      reason: 'FieldValueInvalid',
      message: 'Invalid value: 0: must be specified for an update',
      field: 'metadata.resourceVersion',
    },
  ])
}

interface UpdateRequest {
  old: KubeObject
  next: KubeObject
  options: WriteOptions
  /**
   * Set by server-side apply, which computes the field owners itself. A plain update derives them
   * from the changed fields.
   */
  owners?: ManagedField[]
  /** Admission adds its warnings here. */
  warnings?: string[]
}

/**
 * Stores a new state of an existing object: preconditions, protected fields, admission, generation,
 * field owners.
 */
export function storeUpdate(
  call: Call,
  { old, next, options, owners, warnings }: UpdateRequest,
): KubeObject {
  const { resource, store, subresource, user } = call
  mustBeCurrent(resource, old, next)
  const request = {
    old,
    object: protectedFields(call, old, next),
    user,
    subresource,
    dryRun: options.dryRun,
    warnings,
  }
  const shaped = admitObject(store, resource, request)
  const counted = isEmptied(resource, next, shaped)
    ? nextGeneration(old, shaped)
    : withGeneration(resource, old, shaped)
  const managedFields =
    owners ?? ownersAfterUpdate(resource, { old, next: counted, manager: writerOf(call) })
  const successor = {
    ...counted,
    metadata: { ...counted.metadata, ...(managedFields.length > 0 ? { managedFields } : {}) },
  }
  if (isUnchanged(successor, old)) return old
  if (options.dryRun) return successor
  if (!isFinished(successor)) return store.put(resource, successor)
  // When the last finalizer is removed, the final state is not stored. Watchers receive only the
  // deletion.
  store.remove(resource, old)
  return successor
}

/** True when the API server writes nothing: at most the times of field owners differ. */
const isUnchanged = (successor: KubeObject, old: KubeObject): boolean =>
  isDeepStrictEqual(withoutTimes(successor), withoutTimes(old))

const withoutTimes = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    managedFields: (object.metadata.managedFields ?? []).map(({ time: _time, ...entry }) => entry),
  },
})

function writerOf(call: Call): FieldOwner {
  return {
    name: clientName(call.query, call.request.headers['user-agent']),
    operation: 'Update',
    subresource: call.subresource === 'finalize' ? undefined : call.subresource,
  }
}

function mustBeCurrent(resource: Resource, old: KubeObject, next: KubeObject): void {
  const { name, uid, namespace } = old.metadata
  const requestedUid = next.metadata.uid ?? ''
  if (requestedUid !== '' && requestedUid !== uid) {
    const path = [resource.group, resource.plural, namespace, name]
      .filter((part) => part !== undefined && part !== '')
      .join('/')
    throw refuse.conflict(
      resource,
      name,
      `StorageError: invalid object, Code: 4, Key: /registry/${path}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${requestedUid}, UID in object meta: ${uid}`,
    )
  }
  const version = next.metadata.resourceVersion ?? ''
  if (version !== '' && version !== old.metadata.resourceVersion) {
    throw refuse.conflict(
      resource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    )
  }
}

/**
 * Restores the fields that the API server owns. The main endpoint keeps the status, and the status
 * endpoint keeps everything else.
 */
function protectedFields(call: Call, old: KubeObject, next: KubeObject): KubeObject {
  const { resource, subresource } = call
  const {
    uid,
    creationTimestamp,
    resourceVersion,
    generation,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    name,
    namespace,
  } = old.metadata
  const owned = {
    uid,
    creationTimestamp,
    resourceVersion,
    generation,
    deletionTimestamp,
    deletionGracePeriodSeconds,
    name,
    namespace,
  }
  const { generateName: _generated, managedFields: _fields, ...writable } = next.metadata
  const generateName = old.metadata.generateName ?? next.metadata.generateName
  const metadata = compact({ ...writable, ...owned, generateName })
  const { status: _ignored, ...withoutStatus } = next
  if (subresource === 'status') return compact({ ...old, status: stored(resource, next).status })
  const narrowed = fieldUpdateOf(resource, subresource)
  if (narrowed) return compact(narrowed(old, next))
  if (resource.plural === 'namespaces' && resource.group === '')
    return namespaceFields(call, old, stored(resource, { ...next, metadata }))
  const body = stored(resource, { ...(resource.status ? withoutStatus : next), metadata })
  const shaped: KubeObject = compact({
    ...body,
    kind: old.kind,
    apiVersion: old.apiVersion,
    ...(resource.status ? { status: old.status } : {}),
  })
  return resource.hooks.normalise?.(shaped) ?? shaped
}

const stored = (resource: Resource, object: KubeObject): KubeObject =>
  resource.custom ? object : storedForm(object, resource.schema)

/** Only the finalize endpoint can change `spec.finalizers` of a namespace. */
function namespaceFields(call: Call, old: KubeObject, next: KubeObject): KubeObject {
  const spec = call.subresource === 'finalize' ? next.spec : old.spec
  const shaped = compact({ ...next, spec, status: old.status })
  return call.resource.hooks.normalise?.(shaped) ?? shaped
}

/**
 * Removes keys with the value undefined. JSON omits them, but a deep comparison would see a
 * difference.
 */
const compact = <T extends JsonMap>(map: T): T =>
  // The cast holds because only undefined values are removed.
  Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined)) as T

export function withGeneration(resource: Resource, old: KubeObject, next: KubeObject): KubeObject {
  if (!resource.countsGenerations) return next
  const labels = ({ metadata }: KubeObject): JsonMap =>
    resource.countsLabels === true ? { labels: metadata.labels } : {}
  const content = ({ status, ...object }: KubeObject): JsonMap => {
    const { metadata: _metadata, ...rest } = object
    return { ...rest, ...labels(object), ...(resource.status ? {} : { status }) }
  }
  if (isDeepStrictEqual(compact(content(old)), compact(content(next)))) return next
  return nextGeneration(old, next)
}

const nextGeneration = (old: KubeObject, next: KubeObject): KubeObject => ({
  ...next,
  metadata: { ...next.metadata, generation: (old.metadata.generation ?? 0) + 1 },
})

/** True when an empty list or map in the spec counts. One that a default replaces does not. */
function isEmptied(resource: Resource, next: KubeObject, shaped: KubeObject): boolean {
  if (resource.countsEmpty !== true) return false
  const fields: Readonly<Record<string, Schema>> =
    resource.schema.properties?.['spec']?.properties ?? {}
  const isDefaulted = (key: string, value: Json | undefined): boolean =>
    Array.isArray(value) && value.length === 0 && read.spec(shaped)[key] !== undefined
  return Object.entries(read.spec(next)).some(
    ([key, value]) => hasEmpty(value, fields[key] ?? {}) && !isDefaulted(key, value),
  )
}
