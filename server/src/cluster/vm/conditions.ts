import { type ObservedReason } from '../../domain/vm/observed.ts'
import { fieldAt, listAt, textAt } from '../../engine/kube/field-at.ts'

/** Returns the condition of this type; undefined when the object has none. */
const conditionOf = (object: unknown, type: string): unknown =>
  listAt(object, 'status', 'conditions').find((each) => textAt(each, 'type') === type)

export const isTrue = (object: unknown, type: string): boolean =>
  textAt(conditionOf(object, type), 'status') === 'True'

/** Returns the reason why the condition has this status; null when it has another or none. */
export function reasonWhen(
  object: unknown,
  type: string,
  status: 'True' | 'False',
): ObservedReason | null {
  const condition = conditionOf(object, type)
  return textAt(condition, 'status') === status ? reasonIn(condition) : null
}

/** Reads the reason of a condition, or of a container that waits. */
export const reasonIn = (source: unknown): ObservedReason => ({
  reason: textAt(source, 'reason'),
  message: textAt(source, 'message'),
  since: textAt(source, 'lastTransitionTime'),
})

export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  const field = fieldAt(value, ...path)
  return typeof field === 'number' && Number.isFinite(field) ? field : null
}
