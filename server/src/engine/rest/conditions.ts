import { invalidInput } from '../http/faults.ts'
import { messageOf } from '../model/message.ts'

/** The version that an `If-Match` names; null where any will do. */
export function versionIn(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  const [, version] = /^\s*"(\d{1,9})"\s*$/.exec(ifMatch) ?? []
  if (version === undefined) throw invalidInput('If-Match', messageOf('field.not_etag'))
  return Number(version)
}

export const etagOf = (version: number): string => `"${version}"`

const longestSeconds = 60

/** What a caller says about waiting (RFC 7240): a preference, and so never refused. */
export interface Preference {
  /** How long the caller would wait for the end; null where that is not said. */
  waitSeconds: number | null
  /** 202 and the operation are welcome where it has not ended. */
  isAsync: boolean
}

const nothingPreferred: Preference = { waitSeconds: null, isAsync: false }

export function preferenceIn(prefer: string | undefined): Preference {
  if (prefer === undefined) return nothingPreferred
  const [, seconds] = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(prefer) ?? []
  const waitSeconds = seconds === undefined ? null : Math.min(Number(seconds), longestSeconds)
  return {
    waitSeconds,
    isAsync: waitSeconds !== null || /(?:^|[,;])\s*respond-async\s*(?:$|[,;])/i.test(prefer),
  }
}
