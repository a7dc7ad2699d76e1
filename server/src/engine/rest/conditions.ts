import { type FaultField } from '../model/fault.ts'
import { messageOf } from '../model/message.ts'

/**
 * Returns what is wrong with `If-Match`, if anything. `hasTarget` is false for a request whose
 * target has no ETag.
 */
export function ifMatchProblems(ifMatch: string | undefined, hasTarget: boolean): FaultField[] {
  if (ifMatch === undefined || ifMatch.trim() === '*') return []
  const path = 'If-Match'
  if (tagsIn(ifMatch) === null) return [{ path, message: messageOf('field.not_etag') }]
  return hasTarget ? [] : [{ path, message: messageOf('field.no_etag_here') }]
}

/**
 * Returns the versions in `If-Match`, or null when any version is acceptable. Weak tags and tags of
 * other servers match no version (RFC 9110, section 13.1.1).
 */
export function versionsIn(ifMatch: string | undefined): readonly number[] | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  const tags = tagsIn(ifMatch) ?? []
  return tags.flatMap((tag) => (/^"\d{1,9}"$/.test(tag) ? [Number(tag.slice(1, -1))] : []))
}

/** True when `If-None-Match` has the tag, so that the client has the current version. */
export function hasTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return tagsIn(ifNoneMatch)?.some((tag) => tag.replace(/^W\//, '') === etag) ?? false
}

/** Returns the tags of a list; null when it has anything else, or nothing. */
function tagsIn(list: string): readonly string[] | null {
  const tags = list
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean)
  return tags.length > 0 && tags.every((tag) => /^(?:W\/)?"[^"]*"$/.test(tag)) ? tags : null
}

export const etagOf = (version: number): string => `"${version}"`

export const maxWaitSeconds = 60

/** The caller's preference for waiting (RFC 7240). Preferences are never refused. */
export interface Preference {
  /** How long the caller waits for the operation to end; null when it did not say. */
  waitSeconds: number | null
  /** True when the caller accepts 202 and the operation if it has not ended. */
  isAsync: boolean
}

const noPreference: Preference = { waitSeconds: null, isAsync: false }

export function parsePrefer(prefer: string | undefined): Preference {
  if (prefer === undefined) return noPreference
  const [, seconds] = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(prefer) ?? []
  const waitSeconds = seconds === undefined ? null : Math.min(Number(seconds), maxWaitSeconds)
  return {
    waitSeconds,
    isAsync: waitSeconds !== null || /(?:^|[,;])\s*respond-async\s*(?:$|[,;])/i.test(prefer),
  }
}
