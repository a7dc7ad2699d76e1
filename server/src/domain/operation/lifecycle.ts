export const operationStates = [
  'pending',
  'running',
  'succeeded',
  'failed',
  'cancelled',
  'superseded',
] as const

export type OperationState = (typeof operationStates)[number]

/**
 * The allowed transitions. A state without any is final: the result of the operation never changes
 * again.
 */
export const operationTransitions: Record<OperationState, readonly OperationState[]> = {
  pending: ['running', 'succeeded', 'failed', 'cancelled', 'superseded'],
  running: ['succeeded', 'failed', 'cancelled', 'superseded'],
  succeeded: [],
  failed: [],
  cancelled: [],
  superseded: [],
}

/** True when an operation in this state never changes again. */
export function isFinal(state: OperationState): boolean {
  return operationTransitions[state].length === 0
}

/** True when the transition is allowed. Remaining in a state is not a transition. */
export function canTransition(from: OperationState, to: OperationState): boolean {
  return operationTransitions[from].includes(to)
}
