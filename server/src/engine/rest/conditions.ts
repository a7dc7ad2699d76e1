import { invalid } from '../model/name.ts'
import { messageOf } from '../model/message.ts'

/** Parses the version in `If-Match`. Returns null when any version is acceptable. */
export function parseIfMatch(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  const [, version] = /^\s*"(\d{1,9})"\s*$/.exec(ifMatch) ?? []
  if (version === undefined) throw invalid('If-Match', messageOf('field.not_etag'))
  return Number(version)
}

export const etagOf = (version: number): string => `"${version}"`

const maxWaitSeconds = 60

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
