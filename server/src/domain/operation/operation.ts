export const operationStates = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'superseded'] as const
export type OperationState = (typeof operationStates)[number]

export const stepStates = ['pending', 'running', 'done', 'failed', 'skipped'] as const
export type StepState = (typeof stepStates)[number]

/** One line of an operation's progress, as its tenant sees it. */
export interface OperationStep {
  name: string
  title: string
  state: StepState
  startedAt: string | null
  finishedAt: string | null
}

export interface OperationView {
  id: string
  tenantId: string
  kind: string
  targetKind: string
  targetId: string
  targetName: string
  actorId: string
  actorName: string
  state: OperationState
  steps: OperationStep[]
  progress: number | null
  faultCode: string | null
  faultDetail: string | null
  cancellable: boolean
  cancelRequestedAt: string | null
  supersededBy: string | null
  deadline: string
  version: number
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}
