import { type Message, knownMessage, textMessage } from '../../engine/model/message.ts'
import { type OperationKind, operationKinds } from '../nouns.ts'

/** What a step does; its name, where a release before this one had such a step. */
export function stepTitle(kind: string, step: string): Message {
  return knownMessage(`step.${kind}.${step}`) ?? textMessage(step)
}

/** The failpoint's name of a step: `create_tenant.namespace`. */
export function stepPoint(kind: OperationKind, step: string): string {
  return `${kind}.${step}`
}

/** Every failpoint that the steps of operations owe, of all kinds or of these. */
// Object.keys gives strings; the registry has no other keys than its kinds.
export function allStepPoints(
  kinds: readonly OperationKind[] = Object.keys(operationKinds) as OperationKind[],
): string[] {
  return kinds.flatMap((kind) => operationKinds[kind].steps.map((step) => stepPoint(kind, step)))
}
