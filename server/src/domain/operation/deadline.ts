import { type FaultCode } from '../../engine/model/fault.ts'
import { type OperationState, isFinal } from './lifecycle.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface OpenOperation {
  readonly state: OperationState
  readonly deadline: string
  readonly cancelRequestedAt?: string | null | undefined
  readonly cancellable: boolean
}

export type Ending = {
  readonly state: 'failed' | 'cancelled'
  readonly code: FaultCode
  readonly detail: Message
}

export const cancelledByUser: Ending = {
  state: 'cancelled',
  code: 'cancelled',
  detail: messageOf('operation.cancelled'),
}

export const timedOut: Ending = {
  state: 'failed',
  code: 'timeout',
  detail: messageOf('operation.deadline'),
}

/** True when a user cancelled the open operation. It ends even if the cluster still works on it. */
export const mustBeCancelled = ({
  state,
  cancelRequestedAt,
  cancellable,
}: OpenOperation): boolean => !isFinal(state) && Boolean(cancelRequestedAt) && cancellable

/** Each progress moves the deadline. `now` is the database's clock. */
export const isOverdue = ({ state, deadline }: OpenOperation, now: string): boolean =>
  !isFinal(state) && Date.parse(deadline) <= Date.parse(now)
