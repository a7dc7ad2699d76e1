import { type JsonMap } from '../../objects/types.ts'

/**
 * Why a controller could not bring an object to where it should be; goes into a condition of the
 * object.
 */
export interface SyncError {
  reason: string
  message: string
}

/** What becomes of a change of a VM's spec while its instance runs. */
export type Verdict =
  | { do: 'nothing' }
  /** The instance gets this spec. */
  | { do: 'change'; spec: JsonMap }
  /** Only a restart brings it. */
  | { do: 'restart'; why: string }
  /** Not now. */
  | { do: 'refuse'; error: SyncError }

export const nothing: Verdict = { do: 'nothing' }
export const restart = (why: string): Verdict => ({ do: 'restart', why })
