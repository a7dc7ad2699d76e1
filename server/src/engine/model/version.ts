import { Fault } from './fault.ts'
import { messageOf, type Noun } from './message.ts'

/** A request for a row, which may name the version on which the caller bases it. */
export interface VersionedRequest {
  id: string
  ifVersion?: number | null
}

/** Refuses a change that was based on an older version of the row. */
export function mustBeVersion(
  noun: Noun,
  row: { version: number },
  ifVersion: number | null | undefined,
): void {
  if (ifVersion === null || ifVersion === undefined || ifVersion === row.version) return
  throw new Fault(
    'version_conflict',
    messageOf('request.changed', {
      noun: messageOf(`noun.${noun}`),
      now: row.version,
      then: ifVersion,
    }),
  )
}
