import { type Cause } from '../objects/cause.ts'
import { ApiError } from '../objects/status.ts'
import { filled } from '../objects/read.ts'

const finding =
  (reason: string) =>
  (field: string, message: string): Cause => ({ reason, message, field })

/** What can be wrong with a field. */
export const cause = {
  wrong: finding('FieldValueInvalid'),
  absent: finding('FieldValueNotFound'),
  required: finding('FieldValueRequired'),
  repeated: finding('FieldValueDuplicate'),
  unsupported: finding('FieldValueNotSupported'),
  forbidden: finding('FieldValueForbidden'),
}

const denial = (webhook: string, why: string): string =>
  `admission webhook "${webhook}" denied the request: ${why}`

/** Of more causes than this KubeVirt tells only the number. */
const mostCauses = 10

/** The webhook's no, with everything that it found. */
export function mustHaveNone(webhook: string, causes: readonly Cause[]): void {
  if (causes.length === 0) return
  const told = causes.slice(0, mostCauses)
  const more = causes.length - told.length
  const why = `${told.map(({ message }) => message).join(', ')}${more > 0 ? `, and ${more} more validation errors` : ''}`
  throw new ApiError({
    status: 422,
    reason: 'Invalid',
    message: denial(webhook, why),
    details: { causes: told.map(withoutEmpty) },
  })
}

/** A cause that concerns no single field names none. */
const withoutEmpty = ({ reason, message, field }: Cause) =>
  filled({
    reason: reason === '' ? undefined : reason,
    message,
    field: field === '' ? undefined : field,
  })

/** The webhook could not even look at it. */
export const unreadable = (webhook: string, why: string): ApiError =>
  new ApiError({ status: 400, message: denial(webhook, why) })
