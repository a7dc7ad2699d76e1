import { type Cause } from '../objects/cause.ts'
import { ApiError } from '../objects/status.ts'
import { filled } from '../objects/read.ts'

const finding =
  (reason: string) =>
  (field: string, message: string): Cause => ({ reason, message, field })

/** Creates causes, by the reason that the API reports for a field. */
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

/** KubeVirt lists this many causes and counts the rest. */
const mostCauses = 10

/** Throws the webhook's denial with its causes, unless there are none. */
export function denyIfAny(webhook: string, causes: readonly Cause[]): void {
  if (causes.length === 0) return
  const listed = causes.slice(0, mostCauses)
  const more = causes.length - listed.length
  const why = `${listed.map(({ message }) => message).join(', ')}${more > 0 ? `, and ${more} more validation errors` : ''}`
  throw new ApiError({
    status: 422,
    reason: 'Invalid',
    message: denial(webhook, why),
    details: { causes: listed.map(withoutEmpty) },
  })
}

/** Omits an empty reason and an empty field. */
const withoutEmpty = ({ reason, message, field }: Cause) =>
  filled({
    reason: reason === '' ? undefined : reason,
    message,
    field: field === '' ? undefined : field,
  })

/** The denial of a webhook that cannot process the object, with status 400 and no causes. */
export const unreadable = (webhook: string, why: string): ApiError =>
  new ApiError({ status: 400, message: denial(webhook, why) })
