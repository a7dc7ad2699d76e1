import { type KubeObject } from '../../../objects/types.ts'
import { isMigrating } from '../../../objects/migrations/state.ts'
import { read } from '../../../objects/read.ts'
import { conditionOf, isTrue } from '../../../objects/vms/conditions.ts'
import { isFinal, phaseOf } from '../../../objects/vms/phase.ts'
import { powerStep, strategyOf } from '../../../objects/vms/power.ts'

/** The observed objects that decide the printable status of a VM. */
export interface ObservedVm {
  vm: KubeObject
  vmi: KubeObject | undefined
  dataVolumes: readonly KubeObject[]
  claims: readonly KubeObject[]
}

type Test = (observed: ObservedVm) => boolean

const isRunning = (vmi: KubeObject | undefined): boolean =>
  vmi !== undefined && phaseOf(vmi) === 'Running'

const notSynchronizedFor = (vmi: KubeObject | undefined, reason: string): boolean => {
  const condition = vmi === undefined ? undefined : conditionOf(vmi, 'Synchronized')
  return condition?.status === 'False' && condition.reason === reason
}

function isBroken(dataVolume: KubeObject): boolean {
  const running = conditionOf(dataVolume, 'Running')
  const bound = conditionOf(dataVolume, 'Bound')
  const cannotRun =
    running?.status === 'False' && ['Error', 'ImagePullFailed'].includes(read.text(running.reason))
  const overQuota =
    bound !== undefined && bound.status !== 'True' && bound.reason === 'ErrExceededQuota'
  return phaseOf(dataVolume) === 'Failed' || cannotRun || overQuota
}

const isBeingFilled = (dataVolume: KubeObject): boolean =>
  !['Succeeded', 'PendingPopulation', 'WaitForFirstConsumer'].includes(phaseOf(dataVolume))

const isOnOrStarting = ({ vm, vmi }: ObservedVm): boolean =>
  vmi !== undefined || powerStep(vm, vmi) === 'start'

const isUnschedulable = (vmi: KubeObject | undefined): boolean =>
  vmi !== undefined && conditionOf(vmi, 'PodScheduled')?.reason === 'Unschedulable'

const crashes = ({ vm, vmi }: ObservedVm): boolean =>
  (vmi === undefined || isFinal(vmi)) &&
  Number(read.at(vm.status, 'startFailure', 'consecutiveFailCount') ?? 0) > 0 &&
  ['Always', 'RerunOnFailure', 'Once'].includes(strategyOf(vm))

/** The first entry that holds is the printable status. */
const statuses: readonly (readonly [word: string, holds: Test])[] = [
  ['Terminating', ({ vm }) => vm.metadata.deletionTimestamp !== undefined],
  [
    'Stopping',
    ({ vmi }) => vmi !== undefined && !isFinal(vmi) && vmi.metadata.deletionTimestamp !== undefined,
  ],
  ['Migrating', ({ vmi }) => vmi !== undefined && isMigrating(vmi)],
  ['Paused', ({ vmi }) => isRunning(vmi) && vmi !== undefined && isTrue(vmi, 'Paused')],
  ['Running', ({ vmi }) => isRunning(vmi)],
  ['ErrorPvcNotFound', ({ vmi }) => notSynchronizedFor(vmi, 'FailedPvcNotFound')],
  ['DataVolumeError', ({ dataVolumes }) => dataVolumes.some(isBroken)],
  ['ErrorUnschedulable', ({ vmi }) => isUnschedulable(vmi)],
  ['Provisioning', ({ dataVolumes }) => dataVolumes.some(isBeingFilled)],
  [
    'WaitingForVolumeBinding',
    (observed) =>
      isOnOrStarting(observed) &&
      !(observed.vmi !== undefined && isFinal(observed.vmi)) &&
      observed.claims.some((claim) => phaseOf(claim) !== 'Bound'),
  ],
  ['ErrImagePull', ({ vmi }) => notSynchronizedFor(vmi, 'ErrImagePull')],
  ['ImagePullBackOff', ({ vmi }) => notSynchronizedFor(vmi, 'ImagePullBackOff')],
  [
    'Starting',
    ({ vmi }) =>
      vmi !== undefined && ['', 'Pending', 'Scheduling', 'Scheduled'].includes(phaseOf(vmi)),
  ],
  ['CrashLoopBackOff', crashes],
  ['Stopped', ({ vmi }) => vmi === undefined || isFinal(vmi)],
]

export const printableStatus = (observed: ObservedVm): string =>
  statuses.find(([, holds]) => holds(observed))?.[0] ?? 'Unknown'
