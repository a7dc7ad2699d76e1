import { ResponseShape } from '../../engine/rest/response-shape.ts'
import { scalar } from '../../engine/rest/scalar.ts'
import { oneOf, orNull } from '../../engine/rest/json-schema.ts'

const { text, time } = scalar

const fields = {
  code: text,
  summary: text,
  next_step: text,
  who_can_fix: oneOf('you', 'operator', 'nobody'),
}

const explanation = new ResponseShape({ type: 'VolumeExplanation', name: 'Explanation' }, fields)

/** The field that tells why an object is not as desired. It is left out while the object is. */
export const explanationField = {
  schema: explanation.schema,
  selection: explanation.selection,
}

/** The explanation of a VM, which also tells the cause. */
export const vmExplanation = new ResponseShape('VmExplanation', {
  ...fields,
  cause: text,
  since: orNull(time),
})
