import { type FaultCode } from '../../engine/model/fault.ts'
import { type OperationState, isFinal } from './lifecycle.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface Due {
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

export const cancellation: Ending = {
  state: 'cancelled',
  code: 'cancelled',
  detail: messageOf('operation.cancelled'),
}

export const lateness: Ending = {
  state: 'failed',
  code: 'timeout',
  detail: messageOf('operation.deadline'),
}

/** True when the open operation must end as cancelled now, regardless of the cluster. */
export const isCancelled = ({ state, cancelRequestedAt, cancellable }: Due): boolean =>
  !isFinal(state) && Boolean(cancelRequestedAt) && cancellable

/**
 * True when the open operation made no progress until its deadline. `now` is the database's clock.
 */
export const isOverdue = ({ state, deadline }: Due, now: string): boolean =>
  !isFinal(state) && Date.parse(deadline) <= Date.parse(now)
