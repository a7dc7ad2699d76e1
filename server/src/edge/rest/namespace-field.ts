import { ignored } from '../../engine/rest/request-body.ts'
import { scalar } from '../../engine/rest/scalar.ts'

/** Older clients send the namespace of an object with its other fields. */
export const namespaceField = {
  'namespace?': ignored(
    scalar.text,
    'Has no effect: Berth chooses the namespace. Older clients send it.',
  ),
}
