import { type Permission } from '../../engine/model/permission.ts'

/**
 * The kinds of objects that a search in the console finds, each with the permission to read them.
 */
export const searchPermissions = {
  network: 'networks:read',
  security_group: 'security_groups:read',
  vm: 'vms:read',
  volume: 'volumes:read',
  vpc: 'vpcs:read',
} as const satisfies Record<string, Permission>
export type FoundKind = keyof typeof searchPermissions
// Object.keys returns strings; the table has no keys other than its kinds.
export const foundKinds = Object.keys(searchPermissions) as readonly FoundKind[]

export interface SearchResult {
  kind: FoundKind
  id: string
  name: string
  /** A further attribute that identifies the result, such as its addresses. */
  detail: string | null
}

export const maxResults = 20

/** Returns the search term, or null when it is too short to be selective. */
export function searchTerm(text: string): string | null {
  const trimmed = text.trim().slice(0, 200)
  return trimmed.length < 2 ? null : trimmed
}
