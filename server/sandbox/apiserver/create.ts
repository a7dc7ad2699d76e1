import { randomUUID } from 'node:crypto'
import { clock } from '../clock.ts'
import { type KubeObject, type ManagedField } from '../objects/types.ts'
import { type Answer, type Call } from './request.ts'
import { type Identity } from '../objects/identity.ts'
import { type Resource } from '../objects/resource.ts'
import { type Store } from './storage/store.ts'
import { invalidObject, refuse } from '../objects/status.ts'
import { objectInBody } from './requests/body.ts'
import { admitObject } from './admission.ts'
import { clientName } from './requests/client-name.ts'
import { ownersAfterUpdate } from './patches/managed-fields.ts'
import { finalizerWarnings, nameRequired } from './validate.ts'
import { type WriteOptions, writeOptions } from './requests/options.ts'
import { nameSuffix } from '../objects/name-suffix.ts'
import { keepingWarnings } from './requests/warnings.ts'
import { shapedObject } from './shape.ts'
import { storedForm } from '../objects/stored-form.ts'
import { registry } from '../kinds/registry.ts'

/** Handles POST: creates the object in the body. */
export function createObject(call: Call): Answer {
  const { resource, store } = call
  const options = writeOptions(call.query, 'CreateOptions')
  const { object, warnings } = objectInBody(call, options)
  const named = withName(resource, inNamespace(object, call.namespace))
  if (named.metadata.resourceVersion)
    throw refuse.internal('resourceVersion should not be set on objects to be created')
  const manager = {
    name: clientName(call.query, call.request.headers['user-agent']),
    operation: 'Update' as const,
  }
  const owners = (prepared: KubeObject): ManagedField[] =>
    ownersAfterUpdate(resource, { old: null, next: prepared, manager })
  const created = keepingWarnings(warnings, () =>
    storeNew(store, resource, { object: named, owners, user: call.user, options, warnings }),
  )
  return {
    status: 201,
    body: shapedObject(call, created),
    warnings: [...warnings, ...finalizerWarnings(resource, created, null)],
  }
}

interface NewObject {
  object: KubeObject
  owners: (prepared: KubeObject) => ManagedField[]
  user: Identity
  options: Pick<WriteOptions, 'dryRun'>
  /** Admission adds its warnings here. */
  warnings?: string[]
}

/**
 * Creates an object on behalf of clients and controllers: namespace check, defaults, validation,
 * identity, storage.
 */
export function storeNew(
  store: Store,
  resource: Resource,
  { object, owners, user, options, warnings }: NewObject,
): KubeObject {
  const { name, namespace } = object.metadata
  mustHaveLiveNamespace(store, resource, object)
  const written = asWritten(resource, object)
  const prepared = admitObject(store, resource, {
    old: null,
    object: prepare(resource, written),
    user,
    dryRun: options.dryRun,
    warnings,
  })
  const existing = store.get(resource, namespace, name)
  if (existing)
    throw refuse.alreadyExists(resource, name, existing.metadata.deletionTimestamp !== undefined)
  // The owners of a built-in kind are computed before its strategy and admission set more fields.
  const managedFields = owners(resource.custom ? prepared : defaulted(resource, written))
  const metadata =
    managedFields.length > 0 ? { ...prepared.metadata, managedFields } : prepared.metadata
  return options.dryRun ? { ...prepared, metadata } : store.put(resource, { ...prepared, metadata })
}

/** The fields of a new object that the client may set. */
function asWritten(resource: Resource, object: KubeObject): KubeObject {
  const {
    resourceVersion: _version,
    uid: _uid,
    deletionTimestamp: _at,
    deletionGracePeriodSeconds: _grace,
    managedFields: _f,
    generation: _g,
    ...writable
  } = object.metadata
  const { status: _status, ...withoutStatus } = object
  const body = resource.status ? withoutStatus : object
  // The cast holds because kind, apiVersion and metadata survive the removals above.
  const written = { ...body, metadata: writable } as KubeObject
  return resource.custom ? written : storedForm(written, resource.schema)
}

function prepare(resource: Resource, written: KubeObject): KubeObject {
  const identified = {
    ...written,
    metadata: {
      ...written.metadata,
      uid: randomUUID(),
      creationTimestamp: clock.timestamp(),
      ...(resource.countsGenerations ? { generation: 1 } : {}),
    },
  }
  return defaulted(resource, resource.hooks.onCreate?.(identified) ?? identified)
}

const defaulted = ({ hooks }: Resource, object: KubeObject): KubeObject =>
  hooks.normalise?.(object) ?? object

function inNamespace(object: KubeObject, namespace: string | undefined): KubeObject {
  const own = object.metadata.namespace ?? ''
  if (own !== '' && own !== namespace) {
    throw refuse.badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
  }
  const { namespace: _own, ...metadata } = object.metadata
  return { ...object, metadata: namespace === undefined ? metadata : { ...metadata, namespace } }
}

function withName(resource: Resource, object: KubeObject): KubeObject {
  // A client may have omitted the name, which the type KubeObject does not allow.
  const { name = '', generateName = '' } = object.metadata as {
    name?: string
    generateName?: string
  }
  if (name !== '') return object
  if (generateName === '') throw invalidObject(resource, '', [nameRequired])
  return {
    ...object,
    metadata: { ...object.metadata, name: `${generateName.slice(0, 58)}${nameSuffix()}` },
  }
}

function mustHaveLiveNamespace(store: Store, resource: Resource, { metadata }: KubeObject): void {
  if (!resource.namespaced) return
  const namespaces = registry.named('namespaces')
  const name = metadata.namespace ?? ''
  const namespace = store.get(namespaces, undefined, name)
  if (!namespace) throw refuse.notFound(namespaces, name)
  if (namespace.metadata.deletionTimestamp === undefined) return
  throw refuse.forbidden(resource, metadata.name, {
    text: `unable to create new content in namespace ${name} because it is being terminated`,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${name} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  })
}
