import { type Json, type JsonMap, type KubeObject, type ObjectMeta } from '../../objects/types.ts'
import { type Resource, apiVersionOf } from '../../objects/resource.ts'

/*
 * Stored objects are immutable, so each is serialized once: for a list of ten thousand objects, or
 * for a hundred watchers of one event.
 */
const objectTexts = new WeakMap<KubeObject, string>()
const itemTexts = new WeakMap<KubeObject, string>()

let lastWritten: { object: KubeObject; text: string } | null = null

/**
 * Serializes an object for the journal. Watchers of its kind need the same text right after the
 * write; without watchers it is not cached.
 */
export function textToWrite(object: KubeObject): string {
  const text = objectTexts.get(object) ?? textOf(object)
  lastWritten = { object, text }
  return text
}

export function objectText(object: KubeObject): string {
  const cached = objectTexts.get(object)
  if (cached !== undefined) return cached
  const text = lastWritten?.object === object ? lastWritten.text : textOf(object)
  objectTexts.set(object, text)
  return text
}

/**
 * Texts of parts of objects. A new object is written ten times a second, and its spec and most
 * managedFields stay the same.
 */
const partTexts = new Map<Json, string>()
const maxParts = 10_000

function partText(part: Json): string {
  if (typeof part !== 'object' || part === null) return JSON.stringify(part)
  const cached = partTexts.get(part)
  if (cached !== undefined) return cached
  const text = JSON.stringify(part)
  if (partTexts.size >= maxParts) partTexts.clear()
  partTexts.set(part, text)
  return text
}

const textOf = (object: KubeObject): string =>
  joined(object, (key, part) =>
    key === 'metadata' ? metadataText(object.metadata) : partText(part),
  )

const metadataText = (metadata: ObjectMeta): string =>
  joined(metadata, (key, part) =>
    key === 'managedFields'
      ? `[${(metadata.managedFields ?? []).map(partText).join(',')}]`
      : JSON.stringify(part),
  )

function joined(map: JsonMap, textOfPart: (key: string, part: Json) => string): string {
  let text = ''
  for (const key in map) {
    const part = map[key]
    if (part !== undefined)
      text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${textOfPart(key, part)}`
  }
  return `{${text}}`
}

/** Serializes a list item. Items of built-in lists do not repeat kind and apiVersion. */
function itemText(resource: Resource, object: KubeObject): string {
  if (resource.custom) return objectText(object)
  const cached = itemTexts.get(object)
  if (cached !== undefined) return cached
  const { apiVersion: _version, kind: _kind, ...rest } = object
  const text = JSON.stringify(rest)
  itemTexts.set(object, text)
  return text
}

export function listText(
  resource: Resource,
  metadata: JsonMap,
  items: readonly KubeObject[],
): string {
  const head = {
    kind: `${resource.kind}List`,
    apiVersion: apiVersionOf(resource),
    metadata: resource.custom ? { continue: '', ...metadata } : metadata,
  }
  return `${JSON.stringify(head).slice(0, -1)},"items":[${items.map((item) => itemText(resource, item)).join(',')}]}`
}
