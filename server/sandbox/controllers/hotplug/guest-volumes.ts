import { clock } from '../../clock.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { isDeleted } from '../finalizers.ts'
import { read } from '../../objects/read.ts'
import { isFinal, phaseOf } from '../../objects/vms/phase.ts'
import { vmiKind } from '../../objects/vms/kinds.ts'
import { freeTarget } from './targets.ts'
import { disksOf, named, statusesOf, volumesOf } from './volumes.ts'

const isPlugged = (vmi: KubeObject): boolean =>
  statusesOf(vmi).some(({ hotplugVolume }) => hotplugVolume !== undefined)

/**
 * virt-handler's part of hotplug: mounts volumes into the launcher pod, attaches them to the guest,
 * and detaches them.
 */
export const hotplugAgent: Controller = {
  name: 'virt-handler',
  fieldManager: 'virt-handler',
  sources: [
    {
      kind: vmiKind,
      keysOf: (vmi) => (phaseOf(vmi) === 'Running' && isPlugged(vmi) ? ownKey(vmi) : []),
    },
  ],
  reconcile(client, { namespace, name }) {
    const vmi = client.get(vmiKind, namespace, name)
    if (!vmi || isFinal(vmi) || isDeleted(vmi) || phaseOf(vmi) !== 'Running') return undefined
    const statuses = statusesOf(vmi).map((status) =>
      status.hotplugVolume === undefined ? status : stepOf(vmi, status),
    )
    if (statuses.every((status, index) => status === statusesOf(vmi)[index])) return undefined
    const waitMs = client.remainingMs('hotplug', vmi)
    if (waitMs > 0) return waitMs
    client.setStatus(vmiKind, vmi, { ...read.status(vmi), volumeStatus: statuses })
    return undefined
  },
}

/** The next status of one volume, or the same one when there is nothing to do. */
function stepOf(vmi: KubeObject, status: JsonMap): JsonMap {
  const { phase, hotplugVolume } = status
  const name = read.text(status.name)
  if (!named(volumesOf(vmi), name)) return unplugged(status)
  const isAttached = read.at(hotplugVolume, 'attachPodUID') !== undefined
  if (isAttached && ['Bound', 'Pending', 'AttachedToNode'].includes(read.text(phase)))
    return {
      ...status,
      phase: 'MountedToPod',
      reason: 'VolumeMountedToPod',
      message: `Volume ${name} has been mounted in virt-launcher pod`,
    }
  const isDump = named(volumesOf(vmi), name)?.memoryDump !== undefined
  if (phase === 'MountedToPod' && isDump) return dumped(vmi, status)
  const disk = named(disksOf(vmi), name)
  // A volume without a disk is mounted in the launcher pod but not attached to the guest.
  if (phase !== 'MountedToPod' || !disk) return status
  const message = `Successfully attach hotplugged volume ${name} to VM`
  return {
    ...status,
    phase: 'Ready',
    reason: 'VolumeReady',
    message,
    target: freeTarget(disk, statusesOf(vmi)),
  }
}

/** The status of a completed memory dump, with the name of the file on its volume. */
function dumped({ metadata }: KubeObject, status: JsonMap): JsonMap {
  const now = clock.timestamp()
  const claimName = read.text(status.name)
  const targetFileName = `${metadata.name}-${claimName}-${now.replace(/[-:]/g, '').replace('T', '-').slice(0, 15)}.memory.dump`
  const message = `Memory dump Volume ${claimName} has completed successfully`
  const memoryDumpVolume = { claimName, startTimestamp: now, endTimestamp: now, targetFileName }
  return {
    ...status,
    phase: 'MemoryDumpCompleted',
    reason: 'MemoryDumpCompleted',
    message,
    memoryDumpVolume,
  }
}

function unplugged(status: JsonMap): JsonMap {
  if (!['Ready', 'MountedToPod', 'AttachedToNode'].includes(read.text(status.phase))) return status
  const message = `Volume ${read.text(status.name)} has been unmounted from virt-launcher pod`
  return {
    ...status,
    target: '',
    phase: 'UnMountedFromPod',
    reason: 'VolumeUnMountedFromPod',
    message,
  }
}
