import { isOlderVersion } from '../../engine/kube/watch/versions.ts'
import { explain } from '../../domain/vm/explain.ts'
import { type ObservedVm } from '../../domain/vm/observed.ts'
import { type VmProgress, isSettled } from '../../domain/vm/settled.ts'
import { messageOf } from '../../engine/model/message.ts'
import { stateOf } from '../../domain/vm/state.ts'
import { type Op } from '../../store/op.ts'
import { type ObservedVmState } from '../../store/vm/vm.ts'

export type VmRow = NonNullable<Awaited<ReturnType<Op['vms']['row']>>>

type DesiredOfVm = Pick<
  VmRow,
  | 'wantedPower'
  | 'dedicatedCpu'
  | 'drift'
  | 'nicsLiveUntil'
  | 'failedAt'
  | 'failure'
  | keyof VmProgress
>

const desiredOf = ({
  wantedPower,
  dedicatedCpu,
  deleteRequestedAt,
  clusterUid,
  drift,
  ...vm
}: DesiredOfVm) => ({
  wantedPower,
  dedicatedCpu,
  deleteRequested: Boolean(deleteRequestedAt),
  clusterUid: clusterUid ?? null,
  drift: drift ?? null,
  // A release before this one recorded no reason.
  failure: vm.failedAt ? (vm.failure ?? messageOf('operation.not_in_time')) : null,
})

/** True while NICs may be attached to and detached from the running VM, by the database's clock. */
export const areNicsLive = (
  { nicsLiveUntil }: Pick<VmRow, 'nicsLiveUntil'>,
  now: string,
): boolean => Boolean(nicsLiveUntil) && Date.parse(nicsLiveUntil ?? '') > Date.parse(now)

/**
 * Derives the status columns of a VM's row, such as state and addresses, from the objects in the
 * cluster.
 */
export function statusOf(
  vm: DesiredOfVm,
  observed: ObservedVm | null,
  now: string,
): ObservedVmState {
  const desired = desiredOf(vm)
  const state = stateOf(desired, observed)
  return {
    state,
    explanation: explain(desired, observed),
    ...vmiColumns(observed?.vmi ?? null),
    // KubeVirt reports `restartRequired` for a moment longer than the VMI runs.
    restartRequired: state !== 'Stopped' && needsRestart(observed, areNicsLive(vm, now)),
    diskProgress: progressOf(observed?.disks ?? []),
    settled: isSettled(vm, state),
    observedVersion: observed && versionOf(observed),
  }
}

/** KubeVirt reports nothing about a NIC that waits for the next start. */
const needsRestart = (observed: ObservedVm | null, areLive: boolean): boolean =>
  Boolean(
    observed?.vmi &&
    (observed.conditions.restartRequired ?? (observed.vmi.nicsPending && !areLive)),
  )

const vmiColumns = (
  instance: ObservedVm['vmi'],
): Pick<ObservedVmState, 'ip' | 'observedNics' | 'guestOs' | 'vmiUid' | 'host' | 'stays'> => ({
  ip: firstAddressOf(instance),
  observedNics: instance && [...instance.addresses],
  guestOs: instance?.guestOs ?? null,
  vmiUid: instance?.uid ?? null,
  host: instance?.node ?? null,
  stays: instance?.migrationObstacle ?? null,
})

const firstAddressOf = (instance: ObservedVm['vmi']): string | null =>
  instance?.addresses.find(({ ip }) => ip !== null)?.ip ?? null

function progressOf(disks: ObservedVm['disks']): number | null {
  const filling = disks.flatMap(({ progress }) => progress ?? [])
  return filling.length === 0 ? null : Math.round(Math.min(...filling))
}

/** Joins the versions of VM and VMI. A different result means that one of them has changed. */
export const versionOf = ({
  version,
  vmiVersion,
}: {
  version: string
  vmiVersion: string | null
}): string => `${version}/${vmiVersion ?? ''}`

/** True when a newer version is recorded already: a watch may lag behind a read. */
export function isBehind(observed: ObservedVm, recorded: string | null): boolean {
  const [version = '', vmiVersion = ''] = recorded?.split('/') ?? []
  return (
    isOlderVersion(observed.version, version) ||
    isOlderVersion(observed.vmiVersion ?? '', vmiVersion)
  )
}
