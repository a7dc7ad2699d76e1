import { isDeepStrictEqual } from 'node:util'
import { type JsonMap, type KubeObject, type ManagedField, isMap } from '../objects/types.ts'
import { type Answer, type Call } from './request.ts'
import { type Resource } from '../objects/resource.ts'
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
import { fieldUpdateOf } from './subresources/field-updates.ts'

/** Handles PUT: replaces an object with the one in the body. */
export function replaceObject(call: Call): Answer {
  const options = writeOptions(call.query, 'UpdateOptions')
  const { object, warnings } = objectInBody(call, options)
  mustMatchPath(call, object)
  const old = call.store.get(call.resource, call.namespace, call.name ?? '')
  if (!old) throw refuse.notFound(call.resource, call.name ?? '')
  if (call.resource.custom && !object.metadata.resourceVersion)
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
  const counted = withGeneration(resource, old, shaped)
  const managedFields =
    owners ?? ownersAfterUpdate(resource, { old, next: counted, manager: writerOf(call) })
  const successor = {
    ...counted,
    metadata: { ...counted.metadata, ...(managedFields.length > 0 ? { managedFields } : {}) },
  }
  if (isDeepStrictEqual(successor, old)) return old
  if (options.dryRun) return successor
  if (!isFinished(successor)) return store.put(resource, successor)
  // When the last finalizer is removed, the final state is not stored. Watchers receive only the
  // deletion.
  store.remove(resource, old)
  return successor
}

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
  if (subresource === 'status') return compact({ ...old, status: next.status })
  const narrowed = fieldUpdateOf(resource, subresource)
  if (narrowed) return compact(narrowed(old, next))
  if (resource.plural === 'namespaces' && resource.group === '')
    return namespaceFields(call, old, { ...next, metadata })
  const body = resource.status ? { ...withoutStatus, status: old.status } : next
  const shaped: KubeObject = compact({
    ...body,
    kind: old.kind,
    apiVersion: old.apiVersion,
    metadata,
  })
  return resource.hooks.normalise?.(shaped) ?? shaped
}

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
  const content = ({ metadata: _metadata, status, ...rest }: KubeObject): JsonMap =>
    resource.status ? rest : { ...rest, status }
  if (isDeepStrictEqual(compact(content(old)), compact(content(next)))) return next
  return { ...next, metadata: { ...next.metadata, generation: (old.metadata.generation ?? 0) + 1 } }
}
