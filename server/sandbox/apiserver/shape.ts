import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { type Call } from './request.ts'
import { type Resource } from '../objects/resource.ts'
import { told } from './aliases.ts'
import { type Wanted } from './requests/media-types.ts'
import { listText, objectText } from './storage/render.ts'
import { refuse } from '../objects/status.ts'
import { tableOf, tableStyle } from './tables/table.ts'

/** One object as the client wants it. */
export function shapedObject(call: Call, object: KubeObject): string {
  const { wanted, resource, query } = call
  const { form, as, version } = wanted
  if (form === 'object') return objectText(told(call, object))
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

/** A list as the client wants it. */
export function shapedList(call: Call, metadata: JsonMap, items: readonly KubeObject[]): string {
  const { wanted, resource, query, alias } = call
  const { form, as, version } = wanted
  if (form === 'object') {
    return alias
      ? listText(
          { ...resource, group: alias.group ?? resource.group, version: alias.version },
          metadata,
          items.map((item) => told(call, item)),
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

/** The name that Go has for the type of the answer. */
const goType = ({ custom, kind, group }: Resource, suffix: 'List' | ''): string => {
  if (custom) return `*unstructured.Unstructured${suffix}`
  const [place = ''] = (group === '' ? 'core' : group).split('.')
  return `*${place}.${kind}${suffix}`
}

/** The objects of a watch's events; of tables only the first says what its columns are. */
export function eventShape(call: Call): (object: KubeObject) => string {
  const { wanted, resource, query } = call
  const { form, version } = wanted
  if (form === 'object') return (object) => objectText(told(call, object))
  if (form === 'metadata') return (object) => JSON.stringify(metadataOnly(object, version))
  const style = tableStyle(query, version)
  let isFirst = true
  return (object) => {
    const { resourceVersion = '' } = object.metadata
    const table = tableOf(resource, style, { resourceVersion })
    const shown = isFirst ? table.withHead([object]) : table.withoutHead([object])
    isFirst = false
    return JSON.stringify(shown)
  }
}

const metadataOnly = (
  object: Pick<KubeObject, 'metadata'>,
  version: Wanted['version'],
): JsonMap => ({
  kind: 'PartialObjectMetadata',
  apiVersion: `meta.k8s.io/${version}`,
  metadata: object.metadata,
})

const metadataListText = (
  metadata: JsonMap,
  items: readonly KubeObject[],
  version: Wanted['version'],
): string =>
  JSON.stringify({
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    items: items.map((item) => metadataOnly(item, version)),
  })
