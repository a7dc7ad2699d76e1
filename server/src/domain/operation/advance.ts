import { canTransition } from './lifecycle.ts'
import { type OperationProgress, type OperationStep, type StepState } from './progress.ts'

/*
 * Pure changes to the progress of an operation. Reconcilers store the result, so that users see how
 * far their request is.
 */

const settled: readonly StepState[] = ['done', 'skipped']

/** Returns the step in progress or the next one; null when all are done or skipped. */
export function currentStep(operation: OperationProgress): OperationStep | null {
  return operation.steps.find(({ state }) => !settled.includes(state)) ?? null
}

/** Marks the step as running. Beginning it again keeps its first start time. */
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

/**
 * Records how much of a running step is done. A smaller part than before is no progress, for
 * example when a download begins again.
 */
export function advanceStep(
  operation: OperationProgress,
  name: string,
  percent: number,
): OperationProgress {
  return withStep(operation, name, (step) =>
    step.state === 'running' && percent > (step.percent ?? 0) ? { ...step, percent } : step,
  )
}

/** Marks the step as done or skipped. Finishing it again changes nothing. */
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

/** Ends the operation. Null when it has ended already, because the first result is final. */
export function finishOperation(
  operation: OperationProgress,
  state: 'succeeded' | 'failed' | 'cancelled' | 'superseded',
  at: string,
): OperationProgress | null {
  if (!canTransition(operation.state, state)) return null
  const steps = operation.steps.map((step) => ({
    ...step,
    ...endOf(step, { succeeded: state === 'succeeded', at }),
  }))
  return { ...operation, state, steps, progress: state === 'succeeded' ? 100 : operation.progress }
}

/**
 * Returns the final state of a step: a running step ends like the operation, and success skips
 * pending steps.
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
  const percents = steps.map(({ state, percent = 0 }) => (settled.includes(state) ? 100 : percent))
  const sum = percents.reduce((total, percent) => total + percent, 0)
  return { ...operation, steps, progress: Math.floor(sum / steps.length) }
}
