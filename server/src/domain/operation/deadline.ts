import { type FaultCode } from '../../engine/model/fault.ts'
import { type OperationState, isFinal } from './lifecycle.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface Due {
  readonly state: OperationState
  readonly deadline: Date
  readonly cancelRequestedAt: Date | null
  readonly cancellable: boolean
}

export type Ending = {
  readonly state: 'failed' | 'cancelled'
  readonly code: FaultCode
  readonly detail: Message
}

/**
 * Returns how an open operation must end now, regardless of the cluster; null while it may
 * continue. `now` is the database's clock.
 */
export function endingOf(operation: Due, now: Date): Ending | null {
  if (isFinal(operation.state)) return null
  if (operation.cancelRequestedAt && operation.cancellable)
    return { state: 'cancelled', code: 'cancelled', detail: messageOf('operation.cancelled') }
  if (operation.deadline > now) return null
  return {
    state: 'failed',
    code: 'timeout',
    detail: messageOf('operation.deadline'),
  }
}
