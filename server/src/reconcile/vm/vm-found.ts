import { isOlderVersion } from '../../engine/kube/watch/versions.ts'
import { explain } from '../../domain/vm/explain.ts'
import { type SeenVm } from '../../domain/vm/seen.ts'
import { type VmProgress, isSettled } from '../../domain/vm/settled.ts'
import { stateOf } from '../../domain/vm/state.ts'
import { type Op } from '../../store/op.ts'
import { type SeenOfVm } from '../../store/vm/vm.ts'

export type VmRow = NonNullable<Awaited<ReturnType<Op['vms']['row']>>>

type DesiredOfVm = Pick<VmRow, 'wantedPower' | 'clusterUid' | 'nicsLiveUntil' | keyof VmProgress>

const desiredOf = ({ wantedPower, deleteRequestedAt, clusterUid }: DesiredOfVm) => ({
  wantedPower,
  deleteRequested: Boolean(deleteRequestedAt),
  clusterUid: clusterUid ?? null,
})

/** True while NICs may be attached to and detached from the running VM, by the database's clock. */
export const areNicsLive = (
  { nicsLiveUntil }: Pick<VmRow, 'nicsLiveUntil'>,
  now: string,
): boolean => Boolean(nicsLiveUntil) && Date.parse(nicsLiveUntil ?? '') > Date.parse(now)

/** Returns the observed columns of the row. */
export function foundOf(vm: DesiredOfVm, observed: SeenVm | null, now: string): SeenOfVm {
  const desired = desiredOf(vm)
  const state = vm.failedAt ? 'Error' : stateOf(desired, observed)
  return {
    state,
    explanation: explain(desired, observed),
    ...vmiColumns(observed?.instance ?? null),
    // KubeVirt reports `restartRequired` for a moment longer than the VMI runs.
    restartRequired: state !== 'Stopped' && needsRestart(observed, areNicsLive(vm, now)),
    diskProgress: progressOf(observed?.disks ?? []),
    settled: isSettled(vm, state),
    seenVersion: observed && versionOf(observed),
  }
}

/** KubeVirt reports nothing about a NIC that waits for the next start. */
const needsRestart = (observed: SeenVm | null, areLive: boolean): boolean =>
  Boolean(
    observed?.instance &&
    (observed.conditions.restartRequired ?? (observed.instance.nicsPending && !areLive)),
  )

const vmiColumns = (
  instance: SeenVm['instance'],
): Pick<SeenOfVm, 'ip' | 'seenNics' | 'guestOs' | 'runUid' | 'host' | 'stays'> => ({
  ip: firstAddressOf(instance),
  seenNics: instance && [...instance.addresses],
  guestOs: instance?.guestOs ?? null,
  runUid: instance?.uid ?? null,
  host: instance?.node ?? null,
  stays: instance?.stays ?? null,
})

const firstAddressOf = (instance: SeenVm['instance']): string | null =>
  instance?.addresses.find(({ ip }) => ip !== null)?.ip ?? null

function progressOf(disks: SeenVm['disks']): number | null {
  const filling = disks.flatMap(({ progress }) => progress ?? [])
  return filling.length === 0 ? null : Math.round(Math.min(...filling))
}

/** Joins the versions of VM and VMI. A different result means that one of them has changed. */
export const versionOf = ({
  version,
  instanceVersion,
}: {
  version: string
  instanceVersion: string | null
}): string => `${version}/${instanceVersion ?? ''}`

/** True when a newer version is recorded already: a watch may lag behind a read. */
export function isBehind(observed: SeenVm, recorded: string | null): boolean {
  const [version = '', instanceVersion = ''] = recorded?.split('/') ?? []
  return (
    isOlderVersion(observed.version, version) ||
    isOlderVersion(observed.instanceVersion ?? '', instanceVersion)
  )
}
