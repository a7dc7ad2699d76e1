import { isOlderVersion } from '../../engine/kube/watch/versions.ts'
import { explain } from '../../domain/vm/explain.ts'
import { type SeenVm } from '../../domain/vm/seen.ts'
import { type VmProgress, isSettled } from '../../domain/vm/settled.ts'
import { stateOf } from '../../domain/vm/state.ts'
import { type Op } from '../../store/op.ts'
import { type SeenOfVm } from '../../store/vm/vm.ts'

export type VmRow = NonNullable<Awaited<ReturnType<Op['vms']['row']>>>

type AskedOfVm = Pick<VmRow, 'wantedPower' | 'clusterUid' | 'nicsLiveUntil' | keyof VmProgress>

const askedOf = ({ wantedPower, deleteRequestedAt, clusterUid }: AskedOfVm) => ({
  wantedPower,
  deleteRequested: Boolean(deleteRequestedAt),
  clusterUid: clusterUid ?? null,
})

/** NICs are still to come and go while it runs, by the database's clock. */
export const areNicsLive = (
  { nicsLiveUntil }: Pick<VmRow, 'nicsLiveUntil'>,
  now: string,
): boolean => Boolean(nicsLiveUntil) && Date.parse(nicsLiveUntil ?? '') > Date.parse(now)

/** What a look brought, as it is written down. */
export function foundOf(vm: AskedOfVm, seen: SeenVm | null, now: string): SeenOfVm {
  const asked = askedOf(vm)
  const state = vm.failedAt ? 'Error' : stateOf(asked, seen)
  return {
    state,
    explanation: explain(asked, seen),
    ...ofInstance(seen?.instance ?? null),
    // Of a run that is over the cluster says so for a moment longer.
    restartRequired: state !== 'Stopped' && needsRestart(seen, areNicsLive(vm, now)),
    diskProgress: progressOf(seen?.disks ?? []),
    settled: isSettled(vm, state),
    seenVersion: seen && versionOf(seen),
  }
}

/** Of a NIC that waits for a start the cluster says nothing. */
const needsRestart = (seen: SeenVm | null, areLive: boolean): boolean =>
  Boolean(
    seen?.instance && (seen.conditions.restartRequired ?? (seen.instance.nicsPending && !areLive)),
  )

const ofInstance = (
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

/** Tells whether anything was news since the last look. */
export const versionOf = ({
  version,
  instanceVersion,
}: {
  version: string
  instanceVersion: string | null
}): string => `${version}/${instanceVersion ?? ''}`

/** Whether somebody has seen something newer already: streams may be behind a look. */
export function isBehind(seen: SeenVm, known: string | null): boolean {
  const [version = '', instanceVersion = ''] = known?.split('/') ?? []
  return (
    isOlderVersion(seen.version, version) ||
    isOlderVersion(seen.instanceVersion ?? '', instanceVersion)
  )
}
