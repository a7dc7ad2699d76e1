import { type JsonMap } from './types.ts'

/** A validation error of one field. */
export interface Cause extends JsonMap {
  reason: string
  message: string
  field: string
}
