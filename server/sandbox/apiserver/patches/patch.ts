import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { type Answer, type Call } from '../request.ts'
import { refuse } from '../../objects/status.ts'
import { applyObject } from './apply.ts'
import { checked, parseJson, duplicatesInJson } from '../requests/decode.ts'
import { jsonPatch, mergePatch } from './json-patch.ts'
import { strategicMerge } from './strategic-merge.ts'
import { mustMatchPath, storeUpdate } from '../update.ts'
import { finalizerWarnings } from '../validate.ts'
import { writeOptions } from '../requests/options.ts'
import { keepingWarnings } from '../requests/warnings.ts'
import { shapedObject } from '../shape.ts'

/** Handles PATCH of an object, in any of the four patch formats. */
export function patchObject(call: Call): Answer {
  const type = (call.request.headers['content-type'] ?? '').split(';')[0]?.trim()
  if (type === 'application/apply-patch+yaml') return applyObject(call)
  const change = changeOf(call, type ?? '')
  const options = writeOptions(call.query, 'PatchOptions')
  const old = call.store.get(call.resource, call.namespace, call.name ?? '')
  if (!old) throw refuse.notFound(call.resource, call.name ?? '')
  const patched = change(old)
  if (!isMap(patched)) throw refuse.unprocessablePatch()
  mustMatchPath(call, patched)
  const { object, warnings } = checked(call.resource, patched, {
    ...options,
    repeats: duplicatesInJson(call.body.toString('utf8')),
    refusal: (why) => refuse.patchedObject(patched, why),
  })
  const stored = keepingWarnings(warnings, () =>
    storeUpdate(call, { old, next: withKind(object, old), options, warnings }),
  )
  return {
    status: 200,
    body: shapedObject(call, stored),
    warnings: [...warnings, ...finalizerWarnings(call.resource, stored, old)],
  }
}

/**
 * Patch types of custom kinds, which the error lists. The error of built-in kinds does not list
 * them.
 */
const customPatchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
]

const withKind = (object: KubeObject, old: KubeObject): KubeObject => ({
  ...object,
  kind: old.kind,
  apiVersion: old.apiVersion,
})

/** Returns the function that applies the patch to an object. */
export function changeOf(call: Call, type: string): (old: JsonMap) => Json {
  const decode = (): Json =>
    parseJson(call.body.toString('utf8'), (why) =>
      refuse.badRequest(`error decoding patch: ${why}`),
    )
  if (type === 'application/json-patch+json') {
    const patch = decode()
    return (old) => jsonPatch(old, patch)
  }
  const isStrategic = type === 'application/strategic-merge-patch+json' && !call.resource.custom
  if (type !== 'application/merge-patch+json' && !isStrategic)
    throw refuse.unsupportedMedia(call.resource.custom ? customPatchTypes : null)
  const patch = decode()
  if (!isMap(patch)) {
    const got = Array.isArray(patch) ? 'array' : typeof patch
    throw refuse.badRequest(
      `error decoding patch: json: cannot unmarshal ${got} into Go value of type map[string]interface {}`,
    )
  }
  return (old) =>
    isStrategic ? strategicMerge(old, patch, call.resource.schema) : mergePatch(old, patch)
}
