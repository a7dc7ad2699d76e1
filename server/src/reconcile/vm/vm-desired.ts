import { type DesiredObject } from '../../cluster/desired/desired.ts'
import { type DesiredDataVolume } from '../../cluster/desired/storage.ts'
import {
  type DesiredCdrom,
  type DesiredDisk,
  type DesiredNic,
  type DesiredVm,
} from '../../cluster/desired/vm.ts'
import { hasSubnet } from '../../domain/network/driver.ts'
import { type PublicNetwork } from '../../domain/network/public-network.ts'
import { networkDataOf } from '../../domain/nic/cloud-init.ts'
import { nicName } from '../../domain/nic/nic.ts'
import { rootVolumeOf, vmObjectNames } from '../../domain/vm/object-names.ts'
import { serialOf, volumeName } from '../../domain/volume/object-names.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { type VmRow } from './vm-status.ts'
import { type VmTarget } from './vm-record.ts'

/*
 * Builds the desired objects of a VM from its row: its volumes, its cloud-init Secret and the
 * VirtualMachine. The reconciler of VMs applies them.
 */

const graceSeconds = 60

export const desiredDisk = (desired: VmTarget, defaultClass: string | null): DesiredDataVolume =>
  desired.spec.copyObject
    ? desiredCopy(desired, desired.spec.copyObject, defaultClass)
    : desiredNewDisk(desired.spec, defaultClass)

/** The copy takes its size from the snapshot: CDI refuses the nominal size as too small. */
const desiredCopy = (
  { namespace, spec }: VmTarget,
  name: string,
  defaultClass: string | null,
): DesiredDataVolume => ({
  source: { kind: 'volumeSnapshot', namespace, name },
  sizeGi: null,
  storageClass: spec.storageClass ?? defaultClass,
  // The copy is made now, while the snapshot exists, and not at the first start.
  immediate: true,
})

const desiredNewDisk = (
  { image, sourceType, bootDiskSizeGi, storageClass }: VmRow,
  defaultClass: string | null,
): DesiredDataVolume => ({
  source: sourceType === 'iso' ? { kind: 'blank' } : { kind: 'registry', image },
  sizeGi: bootDiskSizeGi,
  storageClass: storageClass ?? defaultClass,
  // A disk with content is filled at once, even in classes that wait for the first consumer. A
  // missing image is therefore found before the VM starts. An empty disk must follow the ISO: two
  // volumes that are bound on their own may land on two nodes, and then no node can run the VM.
  immediate: sourceType !== 'iso',
})

/**
 * Returns the VM's own copy of the ISO; null without an ISO. Most volumes attach to one node at a
 * time, so VMs that shared the template's volume would wait for each other. With local storage they
 * would all have to run on its node. A copy also allows the template to be deleted.
 */
export const desiredIso = (
  { spec, namespace }: VmTarget,
  defaultClass: string | null,
): DesiredDataVolume | null =>
  spec.isoClaim
    ? {
        source: { kind: 'volume', namespace, name: spec.isoClaim },
        sizeGi: null,
        storageClass: spec.storageClass ?? defaultClass,
        // The copy is made now, while the template exists, and not at the first start.
        immediate: true,
      }
    : null

export const desiredSettings = (
  { nics, userData }: VmTarget,
  { publicNetwork }: VmSettings,
): { values: Record<string, Secret> } => ({
  // cloud-init reads YAML, and JSON is valid YAML.
  values: {
    userdata: userData(),
    networkdata: new Secret(JSON.stringify(networkDataOf(remainingNics(nics), publicNetwork))),
  },
})

const remainingNics = (nics: VmTarget['nics']): VmTarget['nics'] =>
  nics.filter(({ isLeaving }) => !isLeaving)

/** The settings of this installation for the VMs of all tenants. */
export interface VmSettings {
  /** A container disk with Windows drivers for disks and NICs; null adds none. */
  driversImage: string | null
  publicNetwork: PublicNetwork | null
}

/** The desired VM object of a VM. */
export const vmObjectOf = (desired: VmTarget, settings: VmSettings): DesiredObject<'vm'> => ({
  noun: 'vm',
  namespace: desired.namespace,
  name: desired.name,
  tenantId: desired.tenantId,
  rowId: desired.rowId,
  uid: desired.clusterUid ?? desired.adoptedUid,
  spec: desiredVm(desired, settings),
})

const desiredVm = (
  { spec, name, rowId, volumeIds, nics }: VmTarget,
  settings: VmSettings,
): DesiredVm => ({
  power: spec.wantedPower,
  hostname: spec.hostname ?? name,
  guest: spec.osType === 'windows' ? 'windows' : 'linux',
  vcpus: spec.cpu,
  memoryMi: spec.memoryMi,
  // The maximum equals the current size, so that a new size waits for the next start. With a higher
  // maximum the cluster would migrate the guest at once, and retry for ever where no other node is
  // free.
  maxVcpus: spec.cpu,
  dedicatedCpu: spec.dedicatedCpu,
  maxMemoryMi: spec.memoryMi,
  firmware: { uuid: spec.firmwareUuid ?? rowId, ...firmwareOf(spec) },
  graceSeconds,
  disks: [rootDiskOf(spec), ...traysOf(spec, settings), ...volumeIds.map(attachedDisk)],
  nics: nics.map((nic) => desiredNic(nic, spec)),
  cloudInitSecret: vmObjectNames.settings(rowId),
})

function desiredNic(
  {
    ordinal,
    mac,
    address,
    driver,
    isLeaving,
    attachmentNamespace: namespace,
    attachmentName: name,
  }: VmTarget['nics'][number],
  { osType }: VmRow,
): DesiredNic {
  const network = namespace !== null && name !== null ? { namespace, name } : null
  // Only a subnet knows addresses in the cluster. In all other networks Berth alone knows which NIC
  // has which address.
  const pinned = hasSubnet(driver) && address !== null ? { pinned: address } : {}
  return {
    name: nicName(ordinal),
    network,
    mac,
    model: osType === 'windows' ? 'e1000e' : 'virtio',
    isLeaving,
    ...pinned,
  }
}

function firmwareOf({
  osType,
  secureBoot,
  keepsGuestState,
}: VmRow): Pick<DesiredVm['firmware'], 'boot' | 'tpm'> {
  const boot = secureBoot ? 'efiSecure' : 'efi'
  if (osType === 'windows') return { boot, tpm: keepsGuestState ? 'persistent' : 'volatile' }
  return { boot: secureBoot ? boot : 'bios' }
}

/**
 * The ISO comes after the disk in the boot order: an empty disk is skipped, and a disk with an
 * installed system boots. Neither tray is hotpluggable. A hotpluggable volume is attached beside
 * the VM, where the scheduler does not see on which node it lies.
 */
function traysOf(
  { id, isoInserted, osType, imagePullPolicy: pullPolicy = null }: VmRow,
  { driversImage }: VmSettings,
): DesiredCdrom[] {
  const iso = { kind: 'volume', volume: vmObjectNames.iso(id), hotpluggable: false } as const
  return [
    ...(isoInserted ? [{ kind: 'cdrom', name: 'iso', medium: iso, bootOrder: 2 } as const] : []),
    ...(osType === 'windows' && driversImage !== null
      ? [
          {
            kind: 'cdrom',
            name: 'drivers',
            medium: { kind: 'image', image: driversImage, pullPolicy },
          } as const,
        ]
      : []),
  ]
}

function rootDiskOf({
  id,
  rootClaim,
  rootDisk,
  image,
  imagePullPolicy: pullPolicy = null,
  osType,
}: VmRow): DesiredDisk {
  const root = {
    name: 'root',
    bus: osType === 'windows' ? 'sata' : 'virtio',
    bootOrder: 1,
  } as const
  if (rootDisk === 'ephemeral') return { kind: 'containerDisk', image, pullPolicy, ...root }
  return {
    kind: 'disk',
    volume: rootVolumeOf({ id, rootClaim: rootClaim ?? null }),
    serial: serialOf(id),
    hotpluggable: false,
    ...root,
  }
}

/**
 * The disk uses SCSI, which has no tight limit of slots. It can be detached from a running VM, even
 * when the VM started with it.
 */
const attachedDisk = (id: string): DesiredDisk => {
  const name = volumeName(id)
  return { kind: 'disk', name, volume: name, bus: 'scsi', serial: serialOf(id), hotpluggable: true }
}
