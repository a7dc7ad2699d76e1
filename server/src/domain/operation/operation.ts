import { type OperationState } from './lifecycle.ts'
import { type OperationStep } from './progress.ts'
import { type Message } from '../../engine/model/message.ts'

/** An operation as its tenant sees it. */
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
  steps: readonly OperationStep[]
  progress: number | null
  faultCode: string | null
  faultDetail: Message | null
  /** Names what the operator must provide first; null when nothing is missing. */
  waitsFor: Message | null
  cancellable: boolean
  cancelRequestedAt: string | null
  supersededBy: string | null
  deadline: string
  version: number
  createdAt: string
  startedAt: string | null
  finishedAt: string | null
}
