import { type AskedSnapshot, type SeenSnapshot } from '../volume-snapshot/state.ts'
import { type SnapshotStep, nextStep as nextSnapshotStep } from '../volume-snapshot/next-step.ts'
import { messageOf } from '../../engine/model/message.ts'

/** What the row says. */
export interface AskedVmSnapshot extends AskedSnapshot {
  /** It is to be of the machine when that is off, which it is not yet. */
  waitsForMachine: boolean
}

/** What the cluster shows under its name. */
export interface SeenVmSnapshot extends SeenSnapshot {
  /** It will never be ready. */
  hasFailed: boolean
  /** The machine went before it was taken: the cluster waits for one of its name. */
  lacksMachine: boolean
  /** The disks in it, as the machine calls them. */
  included: readonly string[]
  /** How it was taken, in the cluster's words. */
  indications: readonly string[]
}

export const consistencies = ['application', 'crash', 'powered_off'] as const
/**
 * Whether programs in the guest had written down what they knew, whether it is as after a power
 * cut, or whether nothing ran.
 */
export type Consistency = (typeof consistencies)[number]

export function consistencyOf({ indications }: Pick<SeenVmSnapshot, 'indications'>): Consistency {
  if (!indications.includes('Online')) return 'powered_off'
  return indications.includes('GuestAgent') && !indications.includes('QuiesceTimeout')
    ? 'application'
    : 'crash'
}

/** The one next step that brings a snapshot of a machine nearer to what was asked. */
export function nextStep(asked: AskedVmSnapshot, seen: SeenVmSnapshot | null): SnapshotStep {
  const step = nextSnapshotStep(asked, seen)
  if (step.do === 'applySnapshot' && asked.waitsForMachine) return { do: 'wait' }
  if (!seen || step.do !== 'observe' || asked.isTaken) return step
  if (seen.lacksMachine) return lost
  return seen.hasFailed ? failed : step
}

const lost: SnapshotStep = {
  do: 'fail',
  code: 'conflict',
  detail: messageOf('vm_snapshot.vm_deleted_early'),
}
const failed: SnapshotStep = {
  do: 'fail',
  code: 'capacity',
  detail: messageOf('vm_snapshot.not_in_time'),
}
