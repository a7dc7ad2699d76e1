import { Fault } from '../model/fault.ts'
import { messageOf } from '../model/message.ts'

/** A name that was checked; only such a name can become part of a path or a manifest. */
export type ClusterName = string & { readonly checked: 'dns-1123-label' }

const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/**
 * The one gate for names and namespaces on their way to the cluster. The client library lets `.`
 * and `..` through, and a folded path addresses another object: deleting the volume `..` would
 * delete the namespace.
 */
export function checkedName(text: string): ClusterName {
  if (!dnsLabel.test(text)) {
    const name = JSON.stringify(text.slice(0, 80))
    throw new Fault('invalid_input', messageOf('request.cluster_name', { name }))
  }
  // The pattern above is the meaning of the type.
  return text as ClusterName
}

const longLabel = /^[a-z0-9]([-a-z0-9]{0,251}[a-z0-9])?$/

/**
 * The same for names inside of manifests, which may be longer than those that become a part of a
 * path of ours.
 */
export function checkedLongName(text: string): string {
  if (longLabel.test(text)) return text
  const name = JSON.stringify(text.slice(0, 80))
  throw new Fault('invalid_input', messageOf('request.cluster_long_name', { name }))
}

export const labels = {
  managedBy: 'berth.dev/managed-by',
  tenantId: 'berth.dev/tenant-id',
  rowId: 'berth.dev/row-id',
} as const

/** Which row an object belongs to. Ids only: what people type never becomes a label. */
export interface Ownership {
  tenantId: string
  rowId: string
}

export const ownershipLabels = ({ tenantId, rowId }: Ownership): Record<string, string> => ({
  [labels.managedBy]: 'berth',
  [labels.tenantId]: checkedName(tenantId),
  [labels.rowId]: checkedName(rowId),
})
