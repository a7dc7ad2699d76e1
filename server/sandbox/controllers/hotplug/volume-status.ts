import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { isDeleted } from '../finalizers.ts'
import { filled, read } from '../../objects/read.ts'
import { isTrue } from '../../objects/vms/conditions.ts'
import { type LaunchedVmi, attachmentsOf, currentOf } from './attachments.ts'
import { claimNameOf, pluggedVolumes } from './volume-source.ts'
import { named, statusesOf, volumesOf } from './volumes.ts'

/**
 * The volume statuses as virt-controller reports them, sorted by name. virt-handler sets the device
 * names and the state in the guest.
 */
export function volumeStatusOf(
  client: Client,
  launched: LaunchedVmi,
  gone: readonly KubeObject[],
): JsonMap[] {
  const { vmi, launcher } = launched
  const plugged = pluggedVolumes(vmi, launcher)
  const attachments = [...attachmentsOf(client, launcher), ...gone]
  const current = currentOf(attachments, plugged)
  const old = statusesOf(vmi)
  const desired = volumesOf(vmi).map((volume) => {
    const known = named(old, volume.name) ?? { name: volume.name, target: '' }
    const status = named(plugged, volume.name)
      ? plugging(client, launched, { volume, known, pod: current })
      : known
    return withClaim(client, vmi, {
      volume,
      status: volume.memoryDump === undefined ? status : withDump(volume, status),
    })
  })
  const leaving = old
    .filter(({ name }) => !named(desired, name))
    .flatMap((known) => unplugging(client, vmi, { known, attachments }))
  return [...desired, ...leaving].sort((a, b) => (read.text(a.name) < read.text(b.name) ? -1 : 1))
}

interface Plugging {
  volume: JsonMap
  known: JsonMap
  pod: KubeObject | undefined
}

function plugging(client: Client, { vmi }: LaunchedVmi, { volume, known, pod }: Plugging): JsonMap {
  const { attachPodUID: _uid, ...hotplugVolume } = read.map(known.hotplugVolume)
  const name = read.text(volume.name)
  if (!pod)
    return known.phase === 'Ready'
      ? known
      : { ...known, hotplugVolume, ...stateOfClaim(client, vmi, claimNameOf(volume)) }
  const attachPodName = pod.metadata.name
  const status = {
    ...known,
    hotplugVolume: filled({
      attachPodName,
      attachPodUID: isTrue(pod, 'Ready') ? pod.metadata.uid : undefined,
    }),
  }
  // The volume was attached again before its last detach ended, so hotplug starts from the
  // beginning.
  if (known.phase === 'Detaching')
    return { ...status, ...stateOfClaim(client, vmi, claimNameOf(volume)) }
  if (!['', 'Bound', 'Pending'].includes(read.text(known.phase))) return status
  const message = `Created hotplug attachment pod ${attachPodName}, for volume ${name}`
  client.record(vmi, { type: 'Normal', reason: 'SuccessfulCreate', message })
  return { ...status, phase: 'AttachedToNode', message, reason: 'SuccessfulCreate' }
}

function stateOfClaim(
  client: Client,
  { metadata: { namespace } }: KubeObject,
  name: string,
): JsonMap {
  const claim = client.get('persistentvolumeclaims', namespace, name)
  if (!claim)
    return { phase: 'Pending', reason: 'FailedPvcNotFound', message: `PVC ${name} not found` }
  const { phase = 'Pending' } = read.status(claim)
  if (phase === 'Bound')
    return { phase: 'Bound', reason: 'PVCNotReady', message: 'PVC is in phase Bound' }
  const reason = phase === 'Pending' ? 'ClaimPending' : 'Lost'
  return { phase: 'Pending', reason: 'PVCNotReady', message: `PVC is in phase ${reason}` }
}

/** The status of a detached volume stays until its attachment pod is gone. */
function unplugging(
  client: Client,
  vmi: KubeObject,
  { known, attachments }: { known: JsonMap; attachments: readonly KubeObject[] },
): JsonMap[] {
  const pod = attachments.find((each) => named(read.maps(read.spec(each).volumes), known.name))
  if (!pod) return []
  const hotplugVolume = { attachPodName: pod.metadata.name, attachPodUID: pod.metadata.uid }
  const phase = ['Ready', 'MountedToPod'].includes(read.text(known.phase))
    ? known.phase
    : 'Detaching'
  if (phase !== 'Detaching' || !isDeleted(pod)) return [{ ...known, hotplugVolume, phase }]
  const message = `Deleted hotplug attachment pod ${pod.metadata.name}, for volume ${read.text(known.name)}`
  client.record(vmi, { type: 'Normal', reason: 'SuccessfulDelete', message })
  return [{ ...known, hotplugVolume, phase, message, reason: 'SuccessfulDelete' }]
}

const withDump = (volume: JsonMap, status: JsonMap): JsonMap => ({
  memoryDumpVolume: { claimName: volume.name },
  ...status,
})

/** The share of a file system that CDI reserves. */
const overhead = '0.06'

function withClaim(
  client: Client,
  vmi: KubeObject,
  { volume, status }: { volume: JsonMap; status: JsonMap },
): JsonMap {
  const claim = client.get('persistentvolumeclaims', vmi.metadata.namespace, claimNameOf(volume))
  if (!claim) return status
  const { accessModes, volumeMode = 'Filesystem', resources } = read.spec(claim)
  const preallocated =
    claim.metadata.annotations?.['cdi.kubevirt.io/storage.preallocation'] === 'true'
      ? true
      : undefined
  const persistentVolumeClaimInfo = filled({
    accessModes,
    capacity: read.status(claim).capacity,
    claimName: claim.metadata.name,
    filesystemOverhead: volumeMode === 'Block' ? '0' : overhead,
    preallocated,
    requests: read.map(resources).requests,
    volumeMode,
  })
  return { ...status, persistentVolumeClaimInfo }
}
