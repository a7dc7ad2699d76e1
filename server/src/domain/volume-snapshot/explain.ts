import { type AskedSnapshot, type SeenSnapshot, stateOf } from './state.ts'

export const snapshotExplanationCodes = ['failed', 'lost', 'retrying'] as const
export type SnapshotExplanationCode = (typeof snapshotExplanationCodes)[number]

export interface SnapshotExplanation {
  code: SnapshotExplanationCode
  summary: string
  nextStep: string
  whoCanFix: 'you' | 'operator' | 'nobody'
}

/** What there is to explain about a snapshot; null when all is plain. */
export function explain(
  asked: AskedSnapshot,
  seen: SeenSnapshot | null,
): SnapshotExplanation | null {
  const state = stateOf(asked, seen)
  if (state === 'creating') return seen?.hasTrouble ? told('retrying') : null
  return state === 'failed' || state === 'lost' ? told(state) : null
}

const told = (code: SnapshotExplanationCode): SnapshotExplanation => ({ code, ...words[code] })

const words: Readonly<Record<SnapshotExplanationCode, Omit<SnapshotExplanation, 'code'>>> = {
  failed: {
    summary: 'The snapshot could not be taken; nothing of it is there.',
    nextStep: 'See why in its operation, delete it, and take another one.',
    whoCanFix: 'you',
  },
  lost: {
    summary: 'The snapshot was removed outside of this platform.',
    nextStep: 'Ask the operator what happened, and delete it here.',
    whoCanFix: 'operator',
  },
  retrying: {
    summary: 'The storage did not take the snapshot at once, and tries again.',
    nextStep: 'Wait a few minutes. If it stays so, ask the operator.',
    whoCanFix: 'operator',
  },
}
