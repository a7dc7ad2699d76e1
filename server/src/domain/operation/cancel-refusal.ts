import { Fault } from '../../engine/model/fault.ts'
import { type Viewer, may } from '../../engine/model/viewer.ts'
import { messageOf } from '../../engine/model/message.ts'
import { operationKinds } from '../nouns.ts'
import { type OperationState, isFinal } from './lifecycle.ts'

interface CancelSubject {
  readonly kind: string
  readonly state: OperationState
  readonly cancellable: boolean
}

/** Returns why this viewer cannot cancel the operation now, or null when they can. */
export function cancelRefusal(operation: CancelSubject, viewer: Viewer): Fault | null {
  const { kind, state, cancellable } = operation
  const plan = Object.entries(operationKinds).find(([name]) => name === kind)?.[1]
  if (isFinal(state)) return new Fault('wrong_state', messageOf('operation.ended', { state }))
  // A kind of an earlier release has no plan: nothing reconciles it, so nothing could cancel it.
  if (!cancellable || !plan) return new Fault('wrong_state', messageOf('operation.fixed'))
  const permission = plan.cancelPermission
  return may(viewer, permission)
    ? null
    : new Fault('forbidden', messageOf('operation.not_yours', { permission }))
}
