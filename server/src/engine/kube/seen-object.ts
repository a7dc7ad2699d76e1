import { labels } from './refs.ts'
import { type SeenObject } from './seen.ts'
import { type ApiObject } from './objects.ts'

/** Whose an object is, as its labels say; a stranger's labels say nothing. */
export function ownerIn(of: Readonly<Record<string, string>> | undefined): {
  tenantId: string | null
  rowId: string | null
} {
  const ours = of?.[labels.managedBy] === 'berth'
  return {
    tenantId: ours ? (of[labels.tenantId] ?? null) : null,
    rowId: ours ? (of[labels.rowId] ?? null) : null,
  }
}

/** What every kind has. */
export const seenObject = ({ metadata }: ApiObject): SeenObject => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid,
  version: metadata.resourceVersion,
  generation: metadata.generation ?? null,
  ...ownerIn(metadata.labels),
  isDeleting: metadata.deletionTimestamp !== undefined,
})
