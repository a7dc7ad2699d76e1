import { type WantedDataVolume } from '../../cluster/desired/storage.ts'
import {
  type WantedCdrom,
  type WantedDisk,
  type WantedNic,
  type WantedVm,
} from '../../cluster/desired/vm.ts'
import { hasSubnet } from '../../domain/network/driver.ts'
import { type PublicNetwork } from '../../domain/network/public-network.ts'
import { networkDataOf } from '../../domain/nic/cloud-init.ts'
import { nicName } from '../../domain/nic/nic.ts'
import { vmParts } from '../../domain/vm/parts.ts'
import { serialOf, volumeName } from '../../domain/volume/parts.ts'
import { Secret } from '../../runtime/config/secret.ts'
import { type VmRow } from './vm-found.ts'
import { type AskedVm } from './vm-record.ts'

const graceSeconds = 60

export const wantedDisk = (asked: AskedVm, defaultClass: string | null): WantedDataVolume =>
  asked.spec.copyObject
    ? wantedCopy(asked, asked.spec.copyObject, defaultClass)
    : wantedNew(asked.spec, defaultClass)

/** As large as in the snapshot: its nominal size would be refused as too small. */
const wantedCopy = (
  { namespace, spec }: AskedVm,
  name: string,
  defaultClass: string | null,
): WantedDataVolume => ({
  source: { kind: 'volumeSnapshot', namespace, name },
  sizeGi: null,
  storageClass: spec.storageClass ?? defaultClass,
  // Made while the snapshot is there, and not when the machine is first switched on.
  immediate: true,
})

const wantedNew = (
  { image, sourceType, bootDiskSizeGi, storageClass }: VmRow,
  defaultClass: string | null,
): WantedDataVolume => ({
  source: sourceType === 'iso' ? { kind: 'blank' } : { kind: 'registry', image },
  sizeGi: bootDiskSizeGi,
  storageClass: storageClass ?? defaultClass,
  // Also where volumes wait for their first use: a machine is not made in order to find out that
  // its image is missing. An empty disk cannot be, and has to follow the ISO: two volumes that are
  // bound on their own may lie on two hosts, and then no host can run the machine.
  immediate: sourceType !== 'iso',
})

/**
 * Each machine has a copy of the ISO. Mostly a volume is for one host at a time: were the
 * template's shared, a second machine elsewhere would wait for it for ever, and with local storage
 * all of them would have to be where it lies. A copy also lets the template go. Null without an
 * ISO.
 */
export const wantedIso = (
  { spec, namespace }: AskedVm,
  defaultClass: string | null,
): WantedDataVolume | null =>
  spec.isoClaim
    ? {
        source: { kind: 'volume', namespace, name: spec.isoClaim },
        sizeGi: null,
        storageClass: spec.storageClass ?? defaultClass,
        // Made while the template is there, and not when the machine is first switched on.
        immediate: true,
      }
    : null

export const wantedSettings = (
  { nics, userData }: AskedVm,
  { publicNetwork }: MachineSettings,
): { values: Record<string, Secret> } => ({
  // JSON is YAML.
  values: {
    userdata: userData(),
    networkdata: new Secret(JSON.stringify(networkDataOf(staying(nics), publicNetwork))),
  },
})

const staying = (nics: AskedVm['nics']): AskedVm['nics'] =>
  nics.filter(({ isLeaving }) => !isLeaving)

/** What this installation says about the machines of all tenants. */
export interface MachineSettings {
  /** An image with Windows drivers for disks and NICs; null gives none. */
  driversImage: string | null
  publicNetwork: PublicNetwork | null
}

export const wantedMachine = (
  { spec, name, rowId, volumeIds, nics }: AskedVm,
  settings: MachineSettings,
): WantedVm => ({
  power: spec.wantedPower,
  hostname: spec.hostname ?? name,
  guest: spec.osType,
  vcpus: spec.cpu,
  memoryMi: spec.memoryMi,
  // As large as it may ever become while it runs: a new size waits for the next start, where a
  // cluster that can would move the guest to another host at once, and keep trying where there is
  // none.
  maxVcpus: spec.cpu,
  maxMemoryMi: spec.memoryMi,
  firmware: { uuid: rowId, ...firmwareOf(spec) },
  graceSeconds,
  disks: [rootDiskOf(spec), ...traysOf(spec, settings), ...volumeIds.map(attachedDisk)],
  nics: nics.map((nic) => wantedNic(nic, spec)),
  cloudInitSecret: vmParts.settings(rowId),
})

function wantedNic(
  {
    ordinal,
    mac,
    address,
    driver,
    isLeaving,
    attachmentNamespace: namespace,
    attachmentName: name,
  }: AskedVm['nics'][number],
  { osType }: VmRow,
): WantedNic {
  const network = namespace !== null && name !== null ? { namespace, name } : null
  // Elsewhere nobody but Berth knows who has which address.
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
}: VmRow): Pick<WantedVm['firmware'], 'boot' | 'tpm'> {
  const boot = secureBoot ? 'efiSecure' : 'efi'
  if (osType === 'windows') return { boot, tpm: keepsGuestState ? 'persistent' : 'volatile' }
  return { boot: secureBoot ? boot : 'bios' }
}

/**
 * The ISO comes after the disk: an empty disk is passed over, and one that something was installed
 * on boots. Neither tray is one that can be emptied while the machine runs: such a volume is
 * attached beside the machine, where the scheduler does not see on which host it lies.
 */
function traysOf(
  { id, isoInserted, osType }: VmRow,
  { driversImage }: MachineSettings,
): WantedCdrom[] {
  const iso = { kind: 'volume', volume: vmParts.iso(id), hotpluggable: false } as const
  return [
    ...(isoInserted ? [{ kind: 'cdrom', name: 'iso', medium: iso, bootOrder: 2 } as const] : []),
    ...(osType === 'windows' && driversImage !== null
      ? [
          {
            kind: 'cdrom',
            name: 'drivers',
            medium: { kind: 'image', image: driversImage },
          } as const,
        ]
      : []),
  ]
}

function rootDiskOf({ id, rootDisk, image, osType }: VmRow): WantedDisk {
  const root = {
    name: 'root',
    bus: osType === 'windows' ? 'sata' : 'virtio',
    bootOrder: 1,
  } as const
  if (rootDisk === 'ephemeral') return { kind: 'containerDisk', image, ...root }
  return {
    kind: 'disk',
    volume: vmParts.disk(id),
    serial: serialOf(id),
    hotpluggable: false,
    ...root,
  }
}

/**
 * On SCSI, which has no narrow limit of slots. It can be taken out while the machine runs, also
 * where it came with the start.
 */
const attachedDisk = (id: string): WantedDisk => {
  const name = volumeName(id)
  return { kind: 'disk', name, volume: name, bus: 'scsi', serial: serialOf(id), hotpluggable: true }
}
