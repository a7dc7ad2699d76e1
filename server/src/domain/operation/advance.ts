import { canMove } from './lifecycle.ts'
import { type OperationProgress, type OperationStep, type StepState } from './progress.ts'

const settled: readonly StepState[] = ['done', 'skipped']

/** The step to do next; null when all are done or skipped. */
export function currentStep(operation: OperationProgress): OperationStep | null {
  return operation.steps.find(({ state }) => !settled.includes(state)) ?? null
}

/** The operation with the step running; beginning it again keeps its first start. */
export function beginStep(
  operation: OperationProgress,
  name: string,
  at: string,
): OperationProgress {
  const begun = withStep(operation, name, (step) =>
    settled.includes(step.state)
      ? step
      : { ...step, state: 'running', startedAt: step.startedAt ?? at, finishedAt: null },
  )
  return operation.state === 'pending' ? { ...begun, state: 'running' } : begun
}

/** The operation with the step done (or skipped); finishing it again changes nothing. */
export function finishStep(
  operation: OperationProgress,
  name: string,
  end: { at: string; as?: 'done' | 'skipped' },
): OperationProgress {
  return withStep(operation, name, (step) =>
    settled.includes(step.state)
      ? step
      : {
          ...step,
          state: end.as ?? 'done',
          startedAt: step.startedAt ?? end.at,
          finishedAt: end.at,
        },
  )
}

/** The operation at its end; null when it has ended already, for then the first answer stands. */
export function finishOperation(
  operation: OperationProgress,
  state: 'succeeded' | 'failed' | 'cancelled' | 'superseded',
  at: string,
): OperationProgress | null {
  if (!canMove(operation.state, state)) return null
  const steps = operation.steps.map((step) => ({
    ...step,
    ...endOf(step, { succeeded: state === 'succeeded', at }),
  }))
  return { ...operation, state, steps, progress: state === 'succeeded' ? 100 : operation.progress }
}

/**
 * What a step is told when all is over: one that was under way has gone as the whole did, and
 * success needs none that was never begun.
 */
function endOf(
  { state }: OperationStep,
  { succeeded, at }: { succeeded: boolean; at: string },
): Partial<OperationStep> {
  if (state === 'running') return { state: succeeded ? 'done' : 'failed', finishedAt: at }
  return state === 'pending' && succeeded ? { state: 'skipped' } : {}
}

function withStep(
  operation: OperationProgress,
  name: string,
  change: (step: OperationStep) => OperationStep,
): OperationProgress {
  if (!operation.steps.some((step) => step.name === name))
    throw new RangeError(`the operation has no step ${name}`)
  const steps = operation.steps.map((step) => (step.name === name ? change(step) : step))
  const done = steps.filter(({ state }) => settled.includes(state)).length
  return { ...operation, steps, progress: Math.floor((done / steps.length) * 100) }
}
