import { clock } from '../clock.ts'
import { type Json, type JsonMap, type KubeObject, isMap } from '../objects/types.ts'
import { type Answer, type Call } from './request.ts'
import { type Resource } from '../objects/resource.ts'
import { type Store } from './storage/store.ts'
import { refuse } from '../objects/status.ts'
import { contentTypeOf } from './requests/body.ts'
import { parseJson } from './requests/decode.ts'
import { parseProtobuf, parseYaml } from './requests/parsers.ts'
import { invalidOptions, isDryRun, unsupported } from './requests/options.ts'
import { isFinished } from './lifecycle.ts'
import { shapedList, shapedObject } from './shape.ts'
import { selectorOf } from './requests/selectors.ts'

/** The options of a deletion, from the body and the query of the request. */
export interface DeleteOptions {
  policy: string
  dryRun: boolean
  uid: string
  version: string
  /** Grace period; null means the default of the object. */
  graceSeconds: number | null
}

/** Handles DELETE of one object. */
export function deleteObject(call: Call): Answer {
  const { resource, store, namespace, name = '' } = call
  const options = deleteOptions(call)
  const object = store.get(resource, namespace, name)
  if (!object) throw refuse.notFound(resource, name)
  mustMeetPreconditions(resource, object, options)
  const remaining = removeObject(store, resource, { object, options })
  if (remaining) return { status: 200, body: shapedObject(call, remaining) }
  const body =
    resource.returnsDeleted === true ? shapedObject(call, object) : success(resource, object)
  return { status: 200, body }
}

/** Handles DELETE of a collection: deletes the objects that its selectors select. */
export function deleteCollection(call: Call): Answer {
  const { resource, store, namespace } = call
  const options = deleteOptions(call)
  const selects = selectorOf(resource, call.query)
  const objects = store
    .list(resource, namespace)
    .filter((object) => selects === null || selects(object))
  for (const object of objects) removeObject(store, resource, { object, options })
  return {
    status: 200,
    body: shapedList(call, { resourceVersion: String(store.version) }, objects),
  }
}

/**
 * Removes the object, or sets `deletionTimestamp` while finalizers remain. Returns the remaining
 * object, or null.
 */
export function removeObject(
  store: Store,
  resource: Resource,
  { object, options }: { object: KubeObject; options: DeleteOptions },
): KubeObject | null {
  const marked = markDeleted(resource, object, options)
  if (isFinished(marked)) {
    if (options.dryRun) return null
    // A pod gets a `deletionTimestamp` first, even when it is removed at once.
    const last =
      object.kind === 'Pod' && object.metadata.deletionTimestamp === undefined
        ? store.put(resource, marked)
        : object
    store.remove(resource, last)
    return null
  }
  return options.dryRun || marked === object ? marked : store.put(resource, marked)
}

function markDeleted(resource: Resource, object: KubeObject, options: DeleteOptions): KubeObject {
  const { metadata } = object
  if (metadata.deletionTimestamp !== undefined) return shortened(object, options)
  const finalizers = [...(metadata.finalizers ?? []), ...finalizersOf(options.policy)]
  const isNamespace = resource.group === '' && resource.plural === 'namespaces'
  return {
    ...object,
    ...(isNamespace ? { status: { ...mapOf(object.status), phase: 'Terminating' } } : {}),
    metadata: {
      ...metadata,
      deletionTimestamp: clock.timestamp(),
      ...(isNamespace ? {} : { deletionGracePeriodSeconds: graceOf(object, options) }),
      ...(resource.countsGenerations ? { generation: (metadata.generation ?? 0) + 1 } : {}),
      ...(finalizers.length > 0 ? { finalizers } : {}),
    },
  }
}

/** Only a scheduled pod needs a grace period, because its node must stop it. */
function graceOf({ kind, spec, status }: KubeObject, { graceSeconds }: DeleteOptions): number {
  const { nodeName, terminationGracePeriodSeconds = 30 } = mapOf(spec)
  const isOver = ['Succeeded', 'Failed'].includes(String(mapOf(status).phase))
  if (kind !== 'Pod' || nodeName === undefined || isOver) return 0
  return graceSeconds ?? Number(terminationGracePeriodSeconds)
}

/** A second deletion can only shorten the grace period. */
function shortened(object: KubeObject, { graceSeconds }: DeleteOptions): KubeObject {
  const { metadata } = object
  if (graceSeconds === null || graceSeconds >= (metadata.deletionGracePeriodSeconds ?? 0))
    return object
  return { ...object, metadata: { ...metadata, deletionGracePeriodSeconds: graceSeconds } }
}

const finalizersOf = (policy: string): string[] =>
  policy === 'Foreground' ? ['foregroundDeletion'] : policy === 'Orphan' ? ['orphan'] : []

const success = (resource: Resource, { metadata }: KubeObject): JsonMap => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: {
    name: metadata.name,
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
    uid: metadata.uid,
  },
})

const policies = ['Foreground', 'Background', 'Orphan']

/** Reads the options from the body, or from the query when the body is empty. */
function deleteOptions(call: Call): DeleteOptions {
  const options = mapOf(call.body.length === 0 ? {} : optionsIn(call))
  const { uid = '', resourceVersion = '' } = mapOf(options.preconditions)
  const dryRun = [
    ...(Array.isArray(options.dryRun) ? options.dryRun : []),
    ...call.query.getAll('dryRun'),
  ]
  return {
    policy: policyIn(options, call.query.get('propagationPolicy') ?? ''),
    dryRun: isDryRun(dryRun.map(String), 'DeleteOptions'),
    uid: String(uid),
    version: String(resourceVersion),
    graceSeconds: graceIn(options, call.query),
  }
}

function optionsIn(call: Call): Json {
  const text = call.body.toString('utf8')
  const type = contentTypeOf(call)
  const refused = (why: string): Error => refuse.badRequest(why)
  if (type === 'application/vnd.kubernetes.protobuf') return parseProtobuf(call.body, refused)
  if (type === 'application/yaml') return parseYaml(text, refused).value
  return parseJson(text, (why) => refused(`couldn't get version/kind; json parse error: ${why}`))
}

function graceIn({ gracePeriodSeconds }: JsonMap, query: URLSearchParams): number | null {
  const seconds = gracePeriodSeconds ?? query.get('gracePeriodSeconds')
  return seconds === null ? null : Math.max(0, Number(seconds))
}

function policyIn({ propagationPolicy, orphanDependents }: JsonMap, inQuery: string): string {
  const policy = String(propagationPolicy ?? inQuery)
  if (policy === '') return orphanDependents === true ? 'Orphan' : ''
  if (orphanDependents !== undefined) {
    const message = `Invalid value: ${JSON.stringify(policy)}: orphanDependents and deletionPropagation cannot be both set`
    throw invalidOptions('DeleteOptions', {
      reason: 'FieldValueInvalid',
      message,
      field: 'propagationPolicy',
    })
  }
  if (policies.includes(policy)) return policy
  throw invalidOptions(
    'DeleteOptions',
    unsupported('propagationPolicy', JSON.stringify(policy), [...policies, 'nil']),
  )
}

const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})

export function mustMeetPreconditions(
  resource: Resource,
  { metadata }: KubeObject,
  { uid, version }: DeleteOptions,
): void {
  if (uid !== '' && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`
    throw refuse.preconditionFailed(resource, metadata.name, why)
  }
  if (version !== '' && version !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${version}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`
    throw refuse.preconditionFailed(resource, metadata.name, why)
  }
}
