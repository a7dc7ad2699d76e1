import { type FaultCode } from '../../engine/model/fault.ts'
import { type OperationState, isFinal } from './lifecycle.ts'

interface Due {
  readonly state: OperationState
  readonly deadline: Date
  readonly cancelRequestedAt: Date | null
  readonly cancellable: boolean
}

export type Ending = {
  readonly state: 'failed' | 'cancelled'
  readonly code: FaultCode
  readonly detail: string
}

/**
 * Why an open operation must end now, whatever the cluster says; null while it may go on. `now` is
 * the database's clock.
 */
export function expire(operation: Due, now: Date): Ending | null {
  if (isFinal(operation.state)) return null
  if (operation.cancelRequestedAt && operation.cancellable)
    return { state: 'cancelled', code: 'cancelled', detail: 'Cancelled on request' }
  if (operation.deadline > now) return null
  return {
    state: 'failed',
    code: 'timeout',
    detail: 'The deadline passed before the platform had finished; try again',
  }
}
