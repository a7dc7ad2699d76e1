import { type JsonMap, type KubeObject } from './types.ts'
import { type Resource, apiVersionOf } from './resource.ts'

/*
 * Stored objects never change, so their text is made once: by a list of ten thousand or by a hundred watchers of the same event.
 */
const full = new WeakMap<KubeObject, string>()
const bare = new WeakMap<KubeObject, string>()

let written: { object: KubeObject; text: string } | null = null

/** Of an object that is about to be stored, for the journal; whoever watches its kind asks for the same text right after it, and where nobody does it is not kept. */
export function textToWrite(object: KubeObject): string {
  const text = full.get(object) ?? JSON.stringify(object)
  written = { object, text }
  return text
}

export function objectText(object: KubeObject): string {
  const known = full.get(object)
  if (known !== undefined) return known
  const text = written?.object === object ? written.text : JSON.stringify(object)
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
