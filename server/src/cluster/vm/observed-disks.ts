import {
  type ObservedDisk,
  type ObservedDiskState,
  type ObservedReason,
} from '../../domain/vm/observed.ts'
import { numberAt, reasonWhen } from './conditions.ts'
import { listAt, textAt } from '../../engine/kube/field-at.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'

interface ClaimedDisk {
  name: string
  volume: string
}

/** Returns the disks of a VM that are volumes. */
export const claimedDisks = (vm: ApiObject): ClaimedDisk[] =>
  listAt(vm, 'spec', 'template', 'spec', 'volumes').flatMap((each) => {
    const name = textAt(each, 'name')
    const volume =
      textAt(each, 'persistentVolumeClaim', 'claimName') ?? textAt(each, 'dataVolume', 'name')
    return name === null || volume === null ? [] : [{ name, volume }]
  })

/**
 * Returns the state of the volumes of a VM. A disk is left out while its volume is not observed and
 * KubeVirt does not report it missing.
 */
export function observedDisks(
  vm: ApiObject,
  related: { instance: ApiObject | null; volumes: readonly ApiObject[] },
): ObservedDisk[] {
  const unsynchronized = related.instance && reasonWhen(related.instance, 'Synchronized', 'False')
  const missing = unsynchronized?.reason === 'FailedPvcNotFound' ? unsynchronized : null
  return claimedDisks(vm).flatMap((disk) => {
    const found = related.volumes.find(({ metadata }) => metadata.name === disk.volume)
    if (found) return [diskFrom(disk, found)]
    return missing?.message?.includes(`/${disk.volume} `)
      ? [{ ...disk, state: 'missing' as const, progress: null, restarts: 0, trouble: missing }]
      : []
  })
}

function diskFrom(disk: ClaimedDisk, volume: ApiObject): ObservedDisk {
  const trouble = troubleOf(volume)
  const progress = /^([0-9.]+)%$/.exec(textAt(volume, 'status', 'progress') ?? '')?.[1]
  return {
    ...disk,
    state: stateOfVolume(textAt(volume, 'status', 'phase'), trouble),
    progress: progress === undefined ? null : Math.min(Number(progress), 100),
    restarts: numberAt(volume, 'status', 'restartCount') ?? 0,
    trouble,
  }
}

const settled: Readonly<Record<string, ObservedDiskState>> = {
  Succeeded: 'ready',
  Failed: 'failed',
}

/**
 * CDI retries for ever: an import that cannot succeed is in progress like any other. Only its
 * conditions show the failure.
 */
function stateOfVolume(phase: string | null, trouble: ObservedReason | null): ObservedDiskState {
  const known = settled[phase ?? '']
  if (known) return known
  // CDI reports this reason while it creates the target PVC.
  if (trouble?.reason === 'Unschedulable') return 'waiting'
  if (trouble) return 'failing'
  if (
    phase === null ||
    /^(Pending|PendingPopulation|WaitForFirstConsumer|PVCBound|.*Scheduled)$/.test(phase)
  )
    return 'waiting'
  return /InProgress$|^Upload|^Paused$/.test(phase) ? 'filling' : 'unknown'
}

/** Reasons of a normal import. CDI reports them on conditions with the status `False`, too. */
const ordinary = [
  null,
  'Pending',
  'NotFound',
  'ContainerCreating',
  'Completed',
  'Pod is running',
  'Pod is not running',
  'TransferRunning',
]

const troubleOf = (volume: ApiObject): ObservedReason | null =>
  ['Running', 'Bound']
    .map((type) => reasonWhen(volume, type, 'False'))
    .find((reason) => reason && !ordinary.includes(reason.reason)) ?? null
