import {
  type SnapshotExplanation,
  explain as explainSnapshot,
  snapshotExplanationCodes,
} from '../volume-snapshot/explain.ts'
import { type CoveredDisk, coverageOf } from './coverage.ts'
import { type AskedVmSnapshot, type SeenVmSnapshot } from './state.ts'

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

/** What there is to explain about a snapshot of a machine; null when all is plain. */
export function explain(
  asked: AskedVmSnapshot,
  seen: SeenVmSnapshot | null,
  disks: readonly CoveredDisk[] | null,
): VmSnapshotExplanation | null {
  const plain = explainSnapshot(asked, seen)
  if (plain || asked.deleteRequested) return plain
  if (asked.waitsForMachine) return told('waits_for_stop')
  const coverage = disks && coverageOf(disks)
  return coverage === null || coverage === 'all_disks' ? null : told(coverage)
}

type OfMachines = Exclude<VmSnapshotExplanationCode, (typeof snapshotExplanationCodes)[number]>

const told = (code: OfMachines): VmSnapshotExplanation => ({ code, ...words[code] })

const words: Readonly<Record<OfMachines, Omit<VmSnapshotExplanation, 'code'>>> = {
  settings_only: {
    summary: 'The snapshot holds the settings of the VM only, and nothing of its disks.',
    nextStep:
      'Do not rely on it for data. For that, put disks on a storage class that takes snapshots.',
    whoCanFix: 'you',
  },
  some_disks: {
    summary: 'Some disks of the VM are not in the snapshot.',
    nextStep: 'See which in its list of disks, and keep what is on them in another way.',
    whoCanFix: 'you',
  },
  waits_for_stop: {
    summary: 'The snapshot is taken as soon as the VM is off.',
    nextStep: 'Nothing: the VM is being stopped.',
    whoCanFix: 'nobody',
  },
}
