import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { claimNameOf } from '../hotplug/volume-source.ts'
import { disksOf, named, statusesOf, volumesOf } from '../hotplug/volumes.ts'
import { read } from '../../objects/read.ts'
import { type ConditionUpdate, conditionsOf, withCondition } from '../../objects/vms/conditions.ts'

interface Blocker {
  reason: string
  message: string
}

/** Adds to the status of a VMI whether it can be live-migrated, and by which method. */
export function withMigratability(vmi: KubeObject): JsonMap {
  const general = blockers(vmi)
  const disk = diskBlocker(vmi)
  const first = general[0] ?? disk
  const live: ConditionUpdate = first ? { status: 'False', ...first } : { status: 'True' }
  const reservation = hasReservation(vmi)
    ? [
        {
          reason: 'PersistentReservationNotLiveMigratable',
          message: 'VMI uses SCSI persistent reservation',
        },
      ]
    : []
  const conditions = withCondition(conditionsOf(vmi), 'LiveMigratable', live)
  return {
    ...read.status(vmi),
    migrationMethod: disk || hasLocalDisk(vmi) ? 'BlockMigration' : 'LiveMigration',
    conditions: withCondition(
      conditions,
      'StorageLiveMigratable',
      storageCondition([...general, ...reservation]),
    ),
  }
}

function storageCondition(found: readonly Blocker[]): ConditionUpdate {
  if (found.length === 0) return { status: 'True' }
  return {
    status: 'False',
    reason: 'NotMigratable',
    message: found.map(({ reason, message }) => `${reason}: ${message}`).join(', '),
  }
}

const annotation = 'kubevirt.io/allow-pod-bridge-network-live-migration'

/** In the order of virt-handler's checks: only the first problem is reported. */
function blockers(vmi: KubeObject): Blocker[] {
  const domain = read.map(read.spec(vmi).domain)
  const devices = read.map(domain.devices)
  const gpus = read.maps(devices.gpus).length
  const found: [holds: boolean, reason: string, message: string][] = [
    [
      isBoundToNode(vmi),
      'InterfaceNotLiveMigratable',
      `cannot migrate VMI which does not use masquerade, bridge with ${annotation} VM annotation, or a migratable plugin to connect to the pod network`,
    ],
    [
      read.maps(devices.hostDevices).length > 0,
      'HostDeviceNotLiveMigratable',
      'VMI specifies non-migratable generic PCI host device',
    ],
    [gpus > 1, 'HostDeviceNotLiveMigratable', 'VMI specifies too many GPUs'],
    [
      gpus === 1,
      'HostDeviceNotLiveMigratable',
      'VMI specifies a GPU but feature gate VGPULiveMigration is not enabled',
    ],
    [read.at(domain.launchSecurity, 'sev') !== undefined, 'SEVNotLiveMigratable', 'VMI uses SEV'],
    [read.at(domain.launchSecurity, 'tdx') !== undefined, 'TDXNotLiveMigratable', 'VMI uses TDX'],
    [
      read.at(domain.features, 'hypervPassthrough', 'enabled') === true,
      'HypervPassthroughNotLiveMigratable',
      'VMI uses hyperv passthrough',
    ],
  ]
  return found.flatMap(([holds, reason, message]) => (holds ? [{ reason, message }] : []))
}

/**
 * True when the VMI uses the pod's own address without masquerade, and no annotation allows losing
 * it in a migration.
 */
function isBoundToNode(vmi: KubeObject): boolean {
  const network = read.maps(read.spec(vmi).networks).find(({ pod }) => pod !== undefined)
  const nic = named(read.maps(read.at(vmi.spec, 'domain', 'devices', 'interfaces')), network?.name)
  if (
    !network ||
    !nic ||
    nic.masquerade !== undefined ||
    nic.passt !== undefined ||
    nic.binding !== undefined
  )
    return false
  return nic.bridge === undefined || vmi.metadata.annotations?.[annotation] === undefined
}

function diskBlocker(vmi: KubeObject): Blocker | null {
  for (const volume of volumesOf(vmi)) {
    if (volume.hostDisk !== undefined && read.at(volume.hostDisk, 'shared') !== true)
      return diskBlockerOf('cannot migrate VMI with non-shared HostDisk')
    if (volume.persistentVolumeClaim === undefined && volume.dataVolume === undefined) continue
    const info = named(statusesOf(vmi), volume.name)?.persistentVolumeClaimInfo
    const shared =
      'live migration requires that all PVCs must be shared (using ReadWriteMany access mode)'
    const name = claimNameOf(volume)
    // A volume without PVC information has not been inspected yet and is skipped.
    if (info === undefined) continue
    if (!read.texts(read.map(info).accessModes).includes('ReadWriteMany'))
      return diskBlockerOf(`cannot migrate VMI: PVC ${name} is not shared, ${shared}`)
  }
  return null
}

const diskBlockerOf = (message: string): Blocker => ({ reason: 'DisksNotLiveMigratable', message })

/** A node-local disk must be copied, unless the guest can only read it. */
const hasLocalDisk = (vmi: KubeObject): boolean =>
  volumesOf(vmi).some((volume) => {
    if (claimNameOf(volume) !== '' || volume.hostDisk !== undefined) return false
    const filesystems = read.maps(read.at(vmi.spec, 'domain', 'devices', 'filesystems'))
    return !named(filesystems, volume.name) && !isReadOnly(named(disksOf(vmi), volume.name))
  })

const isReadOnly = (disk: JsonMap | undefined): boolean =>
  disk !== undefined &&
  (read.at(disk.cdrom, 'readonly') !== false ? disk.cdrom !== undefined : false)

const hasReservation = (vmi: KubeObject): boolean =>
  disksOf(vmi).some(({ lun }) => read.at(lun, 'reservation') === true)
