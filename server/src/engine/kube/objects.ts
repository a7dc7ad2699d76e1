/** The part of a cluster object that all kinds share. Each noun reads the rest of its own kind. */
export interface ApiObject {
  metadata: {
    name: string
    namespace?: string
    uid: string
    resourceVersion: string
    generation?: number
    deletionTimestamp?: string
    labels?: Record<string, string>
  }
  spec?: unknown
  status?: unknown
}

/**
 * Returns the object, or null for a value without identity, such as a response of another server or
 * an incomplete line.
 */
export function objectIn(value: unknown): ApiObject | null {
  if (typeof value !== 'object' || value === null || !('metadata' in value)) return null
  const { metadata } = value
  if (typeof metadata !== 'object' || metadata === null) return null
  const { name, uid, resourceVersion } = metadata as Partial<ApiObject['metadata']> // every field is checked on the next line
  const hasIdentity =
    typeof name === 'string' && typeof uid === 'string' && typeof resourceVersion === 'string'
  // The identity is checked above; the rest of the type is optional.
  return hasIdentity ? (value as ApiObject) : null
}

export interface ApiList {
  items: ApiObject[]
  version: string
  after: string | null
}

export function listIn(body: unknown): ApiList {
  const { items, metadata } = (body ?? {}) as {
    items?: unknown
    metadata?: { resourceVersion?: unknown; continue?: unknown }
  } // The code below checks each part.
  const after = metadata?.continue
  return {
    items: Array.isArray(items) ? items.map(objectIn).filter((item) => item !== null) : [],
    version: typeof metadata?.resourceVersion === 'string' ? metadata.resourceVersion : '',
    after: typeof after === 'string' && after !== '' ? after : null,
  }
}
