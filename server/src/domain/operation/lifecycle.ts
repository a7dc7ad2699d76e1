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
 * Every legal move. A state without any is final: what was promised has been answered and stays
 * answered.
 */
export const operationMoves: Record<OperationState, readonly OperationState[]> = {
  pending: ['running', 'succeeded', 'failed', 'cancelled', 'superseded'],
  running: ['succeeded', 'failed', 'cancelled', 'superseded'],
  succeeded: [],
  failed: [],
  cancelled: [],
  superseded: [],
}

/** Whether nothing will happen to an operation in this state any more. */
export function isFinal(state: OperationState): boolean {
  return operationMoves[state].length === 0
}

/** Whether the table allows the move; staying where it is is no move. */
export function canMove(from: OperationState, to: OperationState): boolean {
  return operationMoves[from].includes(to)
}
