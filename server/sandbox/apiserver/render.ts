import { type JsonMap, type KubeObject } from './types.ts'
import { type Resource, apiVersionOf } from './resource.ts'

/*
 * Stored objects never change, so their text is made once: by a list of ten thousand or by a hundred watchers of the same event.
 */
const full = new WeakMap<KubeObject, string>()
const bare = new WeakMap<KubeObject, string>()

export function objectText(object: KubeObject): string {
  const known = full.get(object)
  if (known !== undefined) return known
  const text = JSON.stringify(object)
  full.set(object, text)
  return text
}

/** Items of a built-in list do not repeat kind and apiVersion. */
function itemText(resource: Resource, object: KubeObject): string {
  if (resource.custom) return objectText(object)
  const known = bare.get(object)
  if (known !== undefined) return known
  const { apiVersion: _version, kind: _kind, ...rest } = object
  const text = JSON.stringify(rest)
  bare.set(object, text)
  return text
}

export function listText(resource: Resource, metadata: JsonMap, items: readonly KubeObject[]): string {
  const head = {
    kind: `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    metadata: resource.custom ? { continue: '', ...metadata } : metadata,
  }
  return `${JSON.stringify(head).slice(0, -1)},"items":[${items.map((item) => itemText(resource, item)).join(',')}]}`
}
