import { type JsonMap } from '../../objects/types.ts'

/** Why a controller could not synchronize an object; reported in a condition of the object. */
export interface SyncError {
  reason: string
  message: string
}

/** The decision on a change of a VM's spec while its VMI runs. */
export type Verdict =
  | { do: 'nothing' }
  /** Replaces the spec of the VMI. */
  | { do: 'change'; spec: JsonMap }
  /** The change requires a restart. */
  | { do: 'restart'; why: string }
  /** The change is refused for now and retried. */
  | { do: 'refuse'; error: SyncError }

export const nothing: Verdict = { do: 'nothing' }
export const restart = (why: string): Verdict => ({ do: 'restart', why })
