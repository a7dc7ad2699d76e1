/** A checked name. Only such a name can become part of a path or a manifest. */
export type ClusterName = string & { readonly checked: 'dns-1123-label' }

const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/**
 * Checks names and namespaces before they are sent to the cluster. The client library accepts `.`
 * and `..`, and a normalized path addresses another object: deleting the volume `..` would delete
 * the namespace.
 */
export function checkedName(text: string): ClusterName {
  if (!dnsLabel.test(text)) throw notAName(text)
  // The pattern above defines the type.
  return text as ClusterName
}

const longLabel = /^[a-z0-9]([-a-z0-9]{0,251}[a-z0-9])?$/

/** Checks a name inside a manifest, which may be longer because it never becomes part of a path. */
export function checkedLongName(text: string): string {
  if (longLabel.test(text)) return text
  throw notAName(text)
}

/** Berth makes every name itself, so a bad one is a bug of Berth and not of a request. */
const notAName = (text: string): TypeError =>
  new TypeError(`${JSON.stringify(text.slice(0, 80))} is not a valid name in the cluster`)

export const labels = {
  managedBy: 'berth.dev/managed-by',
  tenantId: 'berth.dev/tenant-id',
  rowId: 'berth.dev/row-id',
} as const

/** The row that an object belongs to. Only ids are used: text from users never becomes a label. */
export interface Ownership {
  tenantId: string
  rowId: string
}

export const ownershipLabels = ({ tenantId, rowId }: Ownership): Record<string, string> => ({
  [labels.managedBy]: 'berth',
  [labels.tenantId]: checkedName(tenantId),
  [labels.rowId]: checkedName(rowId),
})
