import { type JsonMap, type KubeObject } from './types.ts'

export type Form = 'object' | 'metadata'

/** The first form of the Accept header that is served here; tables are not, and clients that offer plain JSON get that. */
export function formOf(accept: string | undefined): Form {
  const first = (accept ?? '').split(',').find((part) => !part.includes('as=Table')) ?? ''
  return /as=PartialObjectMetadata(List)?(;|$)/.test(first.replace(/\s/g, '')) ? 'metadata' : 'object'
}

export const metadataOnly = (object: KubeObject): JsonMap => ({
  kind: 'PartialObjectMetadata',
  apiVersion: 'meta.k8s.io/v1',
  metadata: object.metadata,
})

export const metadataListText = (metadata: JsonMap, items: readonly KubeObject[]): string =>
  JSON.stringify({ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata, items: items.map(metadataOnly) })
