import { type OperationKind, operationKinds } from '../nouns.ts'
import { type OperationState } from './lifecycle.ts'

export const stepStates = ['pending', 'running', 'done', 'failed', 'skipped'] as const

export type StepState = (typeof stepStates)[number]

/** One step as stored in the row; times are ISO texts of the database's clock. */
export interface OperationStep {
  readonly name: string
  readonly state: StepState
  readonly startedAt: string | null
  readonly finishedAt: string | null
  /** The greatest part of the step that was observed, in per cent; absent when it shows none. */
  readonly percent?: number
}

/** The columns that a reconciler updates. */
export interface OperationProgress {
  readonly state: OperationState
  readonly steps: readonly OperationStep[]
  readonly progress: number | null
}

/** Returns the progress of a new operation. */
export function initialProgress(kind: OperationKind): OperationProgress {
  const steps = operationKinds[kind].steps.map((name): OperationStep => ({
    name,
    state: 'pending',
    startedAt: null,
    finishedAt: null,
  }))
  return { state: 'pending', steps, progress: 0 }
}
