import { type Message, knownMessage, textMessage } from '../../engine/model/message.ts'
import { type OperationKind, operationKinds } from '../nouns.ts'

/**
 * Returns the title of a step, or its name when an older release created it and it has no title
 * now.
 */
export function stepTitle(kind: string, step: string): Message {
  return knownMessage(`step.${kind}.${step}`) ?? textMessage(step)
}

/** Returns the seconds without progress after which an operation of this kind fails. */
export const deadlineSecondsOf = (kind: OperationKind, factor: number): number =>
  Math.max(1, Math.round((operationKinds[kind].deadlineMs / 1000) * factor))

/** Returns the failpoint of a step, such as `create_tenant.namespace`. */
export function stepFailpoint(kind: OperationKind, step: string): string {
  return `${kind}.${step}`
}

/** Lists the failpoints of all steps, for all kinds or the chosen ones. */
// Object.keys gives strings; the registry has no other keys than its kinds.
export function allStepFailpoints(
  kinds: readonly OperationKind[] = Object.keys(operationKinds) as OperationKind[],
): string[] {
  return kinds.flatMap((kind) =>
    operationKinds[kind].steps.map((step) => stepFailpoint(kind, step)),
  )
}
