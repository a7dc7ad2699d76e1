import { type OperationKind, operationKinds } from '../nouns.ts'
import { type OperationState } from './lifecycle.ts'

export const stepStates = ['pending', 'running', 'done', 'failed', 'skipped'] as const

export type StepState = (typeof stepStates)[number]

/** One step as the row keeps it; times are ISO texts of the database's clock. */
export interface OperationStep {
  readonly name: string
  readonly state: StepState
  readonly startedAt: string | null
  readonly finishedAt: string | null
}

/** The columns that a reconciler moves. */
export interface OperationProgress {
  readonly state: OperationState
  readonly steps: readonly OperationStep[]
  readonly progress: number | null
}

/** How an operation of the kind starts out. */
export function freshProgress(kind: OperationKind): OperationProgress {
  const steps = operationKinds[kind].steps.map((name): OperationStep => ({
    name,
    state: 'pending',
    startedAt: null,
    finishedAt: null,
  }))
  return { state: 'pending', steps, progress: 0 }
}
