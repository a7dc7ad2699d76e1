import { type Cause } from '../../apiserver/cause.ts'
import { ApiError } from '../../apiserver/status.ts'

/** What can be wrong with a field. */
export const cause = {
  wrong: (field: string, message: string): Cause => ({ reason: 'FieldValueInvalid', message, field }),
  absent: (field: string, message: string): Cause => ({ reason: 'FieldValueNotFound', message, field }),
  required: (field: string, message: string): Cause => ({ reason: 'FieldValueRequired', message, field }),
}

const denial = (webhook: string, why: string): string => `admission webhook "${webhook}" denied the request: ${why}`

/** The webhook's no, with everything that it found. */
export function mustHaveNone(webhook: string, causes: readonly Cause[]): void {
  if (causes.length === 0) return
  const message = denial(webhook, causes.map(({ message }) => message).join(', '))
  throw new ApiError({ status: 422, reason: 'Invalid', message, details: { causes: [...causes] } })
}

/** The webhook could not even look at it. */
export const unreadable = (webhook: string, why: string): ApiError => new ApiError({ status: 400, message: denial(webhook, why) })
