import { type DesiredSnapshot, type ObservedSnapshot, stateOf } from './state.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export const snapshotExplanationCodes = [
  'failed',
  'lost',
  'platform_incomplete',
  'retrying',
] as const
export type SnapshotExplanationCode = (typeof snapshotExplanationCodes)[number]

export interface SnapshotExplanation {
  code: SnapshotExplanationCode
  summary: Message
  nextStep: Message
  whoCanFix: 'you' | 'operator' | 'nobody'
}

/** Explains the state of a snapshot, or returns null when there is nothing to explain. */
export function explain(
  desired: DesiredSnapshot,
  observed: ObservedSnapshot | null,
): SnapshotExplanation | null {
  const state = stateOf(desired, observed)
  if (state === 'creating') return observed?.hasError ? explanationOf('retrying') : null
  return state === 'failed' || state === 'lost' ? explanationOf(state) : null
}

/** Explains a snapshot for which the operator must provide a component or a right first. */
export const explainObstacle = (summary: Message): SnapshotExplanation => ({
  code: 'platform_incomplete',
  summary,
  nextStep: messageOf('operation.continues'),
  whoCanFix: 'operator',
})

type ObservedCode = Exclude<SnapshotExplanationCode, 'platform_incomplete'>

const whoCanFix: Readonly<Record<ObservedCode, SnapshotExplanation['whoCanFix']>> = {
  failed: 'you',
  lost: 'operator',
  retrying: 'operator',
}

const explanationOf = (code: ObservedCode): SnapshotExplanation => ({
  code,
  summary: messageOf(`snapshot.${code}.summary`),
  nextStep: messageOf(`snapshot.${code}.nextStep`),
  whoCanFix: whoCanFix[code],
})
