import { type Permission } from '../../engine/model/permission.ts'

/** What can be found, and what somebody must be allowed to read for that. */
export const foundBy = {
  network: 'networks:read',
  security_group: 'security_groups:read',
  vm: 'vms:read',
  volume: 'volumes:read',
  vpc: 'vpcs:read',
} as const satisfies Record<string, Permission>
export type FoundKind = keyof typeof foundBy
// Object.keys gives strings; the table has no other keys than its kinds.
export const foundKinds = Object.keys(foundBy) as readonly FoundKind[]

export interface Found {
  kind: FoundKind
  id: string
  name: string
  /** What else tells it from others, such as its addresses. */
  detail: string | null
}

export const mostFound = 20

/** The text to look for; null where it is too short to tell things apart. */
export function searchedText(text: string): string | null {
  const trimmed = text.trim().slice(0, 200)
  return trimmed.length < 2 ? null : trimmed
}
