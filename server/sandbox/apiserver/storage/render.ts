import { type Json, type JsonMap, type KubeObject, type ObjectMeta } from '../../objects/types.ts'
import { type Resource, apiVersionOf } from '../../objects/resource.ts'

/*
 * Stored objects never change, so their text is made once: by a list of ten thousand or by a
 * hundred watchers of the same event.
 */
const full = new WeakMap<KubeObject, string>()
const bare = new WeakMap<KubeObject, string>()

let written: { object: KubeObject; text: string } | null = null

/**
 * Of an object that is about to be stored, for the journal; whoever watches its kind asks for the
 * same text right after it, and where nobody does it is not kept.
 */
export function textToWrite(object: KubeObject): string {
  const text = full.get(object) ?? textOf(object)
  written = { object, text }
  return text
}

export function objectText(object: KubeObject): string {
  const known = full.get(object)
  if (known !== undefined) return known
  const text = written?.object === object ? written.text : textOf(object)
  full.set(object, text)
  return text
}

/**
 * What is being made is written ten times in a second: its spec and what others own of it are the
 * same each time.
 */
const parts = new Map<Json, string>()
const mostParts = 10_000

function partText(part: Json): string {
  if (typeof part !== 'object' || part === null) return JSON.stringify(part)
  const known = parts.get(part)
  if (known !== undefined) return known
  const text = JSON.stringify(part)
  if (parts.size >= mostParts) parts.clear()
  parts.set(part, text)
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
