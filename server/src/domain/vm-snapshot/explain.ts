import {
  type SnapshotExplanation,
  explain as explainSnapshot,
  snapshotExplanationCodes,
} from '../volume-snapshot/explain.ts'
import { type CoveredDisk, coverageOf } from './coverage.ts'
import { type DesiredVmSnapshot, type ObservedVmSnapshot } from './state.ts'
import { messageOf } from '../../engine/model/message.ts'

export const vmSnapshotExplanationCodes = [
  ...snapshotExplanationCodes,
  'settings_only',
  'some_disks',
  'waits_for_stop',
] as const
export type VmSnapshotExplanationCode = (typeof vmSnapshotExplanationCodes)[number]

export interface VmSnapshotExplanation extends Omit<SnapshotExplanation, 'code'> {
  code: VmSnapshotExplanationCode
}

/** Explains the state of a VM snapshot, or returns null when there is nothing to explain. */
export function explain(
  desired: DesiredVmSnapshot,
  observed: ObservedVmSnapshot | null,
  disks: readonly CoveredDisk[] | null,
): VmSnapshotExplanation | null {
  const common = explainSnapshot(desired, observed)
  if (common || desired.deleteRequested) return common
  if (desired.waitsForVmOff) return explanationOf('waits_for_stop')
  const coverage = disks && coverageOf(disks)
  return coverage === null || coverage === 'all_disks' ? null : explanationOf(coverage)
}

type VmOnlyCode = Exclude<VmSnapshotExplanationCode, (typeof snapshotExplanationCodes)[number]>

const explanationOf = (code: VmOnlyCode): VmSnapshotExplanation => ({
  code,
  summary: messageOf(`snapshot.${code}.summary`),
  nextStep: messageOf(`snapshot.${code}.nextStep`),
  whoCanFix: code === 'waits_for_stop' ? 'nobody' : 'you',
})
