import { labels } from './refs.ts'
import { type ObservedObject } from './observed.ts'
import { type ApiObject } from './objects.ts'

/** Reads the owner of an object from its labels. Labels of foreign objects are ignored. */
export function ownerIn(labelsOfObject: Readonly<Record<string, string>> | undefined): {
  tenantId: string | null
  rowId: string | null
} {
  const isOwn = labelsOfObject?.[labels.managedBy] === 'berth'
  return {
    tenantId: isOwn ? (labelsOfObject[labels.tenantId] ?? null) : null,
    rowId: isOwn ? (labelsOfObject[labels.rowId] ?? null) : null,
  }
}

/** Maps the metadata of an object of any kind. */
export const observedObject = ({ metadata }: ApiObject): ObservedObject => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid,
  version: metadata.resourceVersion,
  generation: metadata.generation ?? null,
  ...ownerIn(metadata.labels),
  isDeleting: metadata.deletionTimestamp !== undefined,
})
