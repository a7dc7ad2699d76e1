import { type JsonMap } from './types.ts'

/** One thing that is wrong with one field. */
export interface Cause extends JsonMap {
  reason: string
  message: string
  field: string
}
