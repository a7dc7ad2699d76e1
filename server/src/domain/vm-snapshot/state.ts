import { type DesiredSnapshot, type ObservedSnapshot } from '../volume-snapshot/state.ts'
import { type SnapshotStep, nextStep as nextSnapshotStep } from '../volume-snapshot/next-step.ts'
import { messageOf } from '../../engine/model/message.ts'

/** The desired state of a VM snapshot, read from its row. */
export interface DesiredVmSnapshot extends DesiredSnapshot {
  /** True while the snapshot waits for the VM to stop. */
  waitsForVmOff: boolean
}

/** The observed object with the snapshot's name. */
export interface ObservedVmSnapshot extends ObservedSnapshot {
  /** True when KubeVirt will never complete it. */
  hasFailed: boolean
  /** True when the VM was deleted first; KubeVirt then waits for a VM of its name. */
  lacksVm: boolean
  /** The included disks, by their names in the VM spec. */
  included: readonly string[]
  /** KubeVirt's indications of how it was taken. */
  indications: readonly string[]
}

export const consistencies = ['application', 'crash', 'powered_off'] as const
/**
 * `application`: the guest agent froze the file systems; `crash`: as after a power failure;
 * `powered_off`: the VM did not run.
 */
export type Consistency = (typeof consistencies)[number]

export function consistencyOf({
  indications,
}: Pick<ObservedVmSnapshot, 'indications'>): Consistency {
  if (!indications.includes('Online')) return 'powered_off'
  return indications.includes('GuestAgent') && !indications.includes('QuiesceTimeout')
    ? 'application'
    : 'crash'
}

/** Decides the next step towards the desired state of a VM snapshot. */
export function nextStep(
  desired: DesiredVmSnapshot,
  observed: ObservedVmSnapshot | null,
): SnapshotStep {
  const step = nextSnapshotStep(desired, observed)
  if (step.do === 'applySnapshot' && desired.waitsForVmOff) return { do: 'wait' }
  if (!observed || step.do !== 'observe' || desired.isTaken) return step
  if (observed.lacksVm) return lost
  return observed.hasFailed ? failed : step
}

const lost: SnapshotStep = {
  do: 'fail',
  code: 'conflict',
  detail: messageOf('vm_snapshot.vm_deleted_early'),
}
const failed: SnapshotStep = {
  do: 'fail',
  code: 'timeout',
  detail: messageOf('vm_snapshot.not_in_time'),
}
