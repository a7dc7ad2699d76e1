import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { type Call } from './request.ts'
import { type Resource } from '../objects/resource.ts'
import { toRequestedVersion } from './aliases.ts'
import { type MediaType } from './requests/media-types.ts'
import { listText, objectText } from './storage/render.ts'
import { refuse } from '../objects/status.ts'
import { tableOf, tableStyle } from './tables/table.ts'

/** Renders one object in the negotiated media type. */
export function shapedObject(call: Call, object: KubeObject): string {
  const { resource, query } = call
  const { form, as, version } = call.mediaType
  if (form === 'object') return objectText(toRequestedVersion(call, object))
  if (as === 'PartialObjectMetadataList') {
    throw refuse.notAcceptable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(resource, '')})`,
    )
  }
  if (form === 'metadata') return JSON.stringify(metadataOnly(object, version))
  const { resourceVersion = '' } = object.metadata
  return JSON.stringify(
    tableOf(resource, tableStyle(query, version), { resourceVersion }).withHead([object]),
  )
}

/** Renders a list in the negotiated media type. */
export function shapedList(call: Call, metadata: JsonMap, items: readonly KubeObject[]): string {
  const { resource, query, alias } = call
  const { form, as, version } = call.mediaType
  if (form === 'object') {
    return alias
      ? listText(
          { ...resource, group: alias.group ?? resource.group, version: alias.version },
          metadata,
          items.map((item) => toRequestedVersion(call, item)),
        )
      : listText(resource, metadata, items)
  }
  if (as === 'PartialObjectMetadata') {
    throw refuse.notAcceptable(
      `you requested PartialObjectMetadata, but the requested object is a list (${goType(resource, 'List')})`,
    )
  }
  if (form === 'metadata') return metadataListText(metadata, items, version)
  return JSON.stringify(tableOf(resource, tableStyle(query, version), metadata).withHead(items))
}

/** Returns the Go type name of the response, which the API server's error text contains. */
const goType = ({ custom, kind, group }: Resource, suffix: 'List' | ''): string => {
  if (custom) return `*unstructured.Unstructured${suffix}`
  const [goPackage = ''] = (group === '' ? 'core' : group).split('.')
  return `*${goPackage}.${kind}${suffix}`
}

/**
 * Returns the renderer for the objects of watch events. Only the first table of a watch has column
 * definitions.
 */
export function eventShape(call: Call): (object: KubeObject) => string {
  const { resource, query } = call
  const { form, version } = call.mediaType
  if (form === 'object') return (object) => objectText(toRequestedVersion(call, object))
  if (form === 'metadata') return (object) => JSON.stringify(metadataOnly(object, version))
  const style = tableStyle(query, version)
  let isFirst = true
  return (object) => {
    const { resourceVersion = '' } = object.metadata
    const table = tableOf(resource, style, { resourceVersion })
    const rendered = isFirst ? table.withHead([object]) : table.withoutHead([object])
    isFirst = false
    return JSON.stringify(rendered)
  }
}

const metadataOnly = (
  object: Pick<KubeObject, 'metadata'>,
  version: MediaType['version'],
): JsonMap => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata: object.metadata,
})

const metadataListText = (
  metadata: JsonMap,
  items: readonly KubeObject[],
  version: MediaType['version'],
): string =>
  JSON.stringify({
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    items: items.map((item) => metadataOnly(item, version)),
  })
