import { type Answer, type Call } from '../request.ts'
import { objectInBody } from '../requests/body.ts'
import { checked } from '../requests/decode.ts'
import { type WriteOptions, writeOptions } from '../requests/options.ts'
import { changeOf } from '../patches/patch.ts'
import { type Resource } from '../../objects/resource.ts'
import { invalidObject, refuse } from '../../objects/status.ts'
import { textOfSelector } from '../requests/selector-text.ts'
import { dig } from '../../objects/dig.ts'
import { type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { mustMatchPath, storeUpdate } from '../update.ts'
import { subresourceKinds } from './unstored-kinds.ts'

/* The `scale` subresource, which has the same form for all kinds with replicas. */

export const readScale = (call: Call): Answer => answer(call, scaledObject(call))

export function replaceScale(call: Call): Answer {
  const options = writeOptions(call.query, 'UpdateOptions')
  const { object } = objectInBody({ ...call, resource: subresourceKinds.scale }, options)
  mustMatchPath(call, object)
  return store(call, { old: scaledObject(call), scale: object, options })
}

export function patchScale(call: Call): Answer {
  const type = (call.request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''
  const options = writeOptions(call.query, 'PatchOptions')
  const old = scaledObject(call)
  const patched = changeOf(
    { ...call, resource: subresourceKinds.scale },
    type,
  )(scaleOf(call.resource, old))
  if (!isMap(patched)) throw refuse.unprocessablePatch()
  mustMatchPath(call, patched)
  return store(call, {
    old,
    scale: checked(subresourceKinds.scale, patched, options).object,
    options,
  })
}

function scaledObject({ store: objects, resource, namespace, name = '' }: Call): KubeObject {
  const object = objects.get(resource, namespace, name)
  if (!object) throw refuse.notFound(resource, name)
  if (resource.custom && dig.any(object, 'spec.replicas') === undefined) {
    throw refuse.internalError('the spec replicas field ".spec.replicas" does not exist')
  }
  return object
}

const answer = ({ resource }: Call, object: KubeObject): Answer => ({
  status: 200,
  body: scaleOf(resource, object),
})

function store(
  call: Call,
  { old, scale, options }: { old: KubeObject; scale: KubeObject; options: WriteOptions },
): Answer {
  const replicas = dig.number(scale, 'spec.replicas')
  if (replicas < 0) {
    const message = `Invalid value: ${replicas}: must be greater than or equal to 0`
    throw invalidObject(subresourceKinds.scale, old.metadata.name, [
      { reason: 'FieldValueInvalid', message, field: 'spec.replicas' },
    ])
  }
  const { resourceVersion = '', uid = '' } = scale.metadata
  const metadata = { ...old.metadata, resourceVersion, uid }
  const next = { ...old, metadata, spec: { ...dig.map(old, 'spec'), replicas } }
  return answer(call, storeUpdate(call, { old, next, options }))
}

function scaleOf(resource: Resource, object: KubeObject): JsonMap {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const selector = selectorText(resource, object)
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: amount(Number(dig.any(object, 'spec.replicas') ?? 1)),
    status: {
      replicas: dig.number(object, 'status.replicas'),
      ...(selector === '' ? {} : { selector }),
    },
  }
}

const amount = (replicas: number): JsonMap => (replicas === 0 ? {} : { replicas })

/**
 * Returns the selector. Custom kinds store it in their status, and other kinds in their spec.
 * ReplicationController has plain labels.
 */
function selectorText({ custom, kind }: Resource, object: KubeObject): string {
  if (custom) return dig.text(object, 'status.labelSelector')
  return kind === 'ReplicationController'
    ? textOfSelector({ matchLabels: dig.map(object, 'spec.selector') })
    : textOfSelector(dig.map(object, 'spec.selector'))
}
