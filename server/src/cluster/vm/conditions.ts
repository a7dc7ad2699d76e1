import { type SeenReason } from '../../domain/vm/seen.ts'
import { fieldAt, listAt, textAt } from '../../engine/kube/field-at.ts'

/** The condition of an object as somebody put it there; undefined where nobody did. */
const conditionOf = (object: unknown, type: string): unknown =>
  listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === type)

export const isTrue = (object: unknown, type: string): boolean =>
  textAt(conditionOf(object, type), 'status') === 'True'

/** Why the condition has this status; null when it has another or none. */
export function reasonWhen(
  object: unknown,
  type: string,
  status: 'True' | 'False',
): SeenReason | null {
  const condition = conditionOf(object, type)
  return textAt(condition, 'status') === status ? reasonIn(condition) : null
}

/** Of a condition, or of the state that a container waits in. */
export const reasonIn = (said: unknown): SeenReason => ({
  reason: textAt(said, 'reason'),
  message: textAt(said, 'message'),
  since: textAt(said, 'lastTransitionTime'),
})

export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  const found = fieldAt(value, ...path)
  return typeof found === 'number' && Number.isFinite(found) ? found : null
}
