import { type WantedDataVolume } from '../cluster/writer/wanted-storage.ts'
import { type WantedCdrom, type WantedDisk, type WantedVm } from '../cluster/writer/wanted-vm.ts'
import { vmParts } from '../domain/vm/parts.ts'
import { Secret } from '../runtime/secret.ts'
import { type VmRow } from './vm-found.ts'
import { type AskedVm } from './vm-record.ts'

const graceSeconds = 60
const nic = 'nic0'

export const wantedDisk = ({ image, sourceType, bootDiskSizeGi, storageClass }: VmRow, defaultClass: string | null): WantedDataVolume => ({
  source: sourceType === 'iso' ? { kind: 'blank' } : { kind: 'registry', image },
  sizeGi: bootDiskSizeGi,
  storageClass: storageClass ?? defaultClass,
  // Also where volumes wait for their first use: a machine is not made in order to find out that its image is missing. An empty disk cannot be, and
  // has to follow the ISO: two volumes that are bound on their own may lie on two hosts, and then no host can run the machine.
  immediate: sourceType !== 'iso',
})

/**
 * Each machine has a copy of the ISO. Mostly a volume is for one host at a time: were the template's shared, a second machine elsewhere would wait for
 * it for ever, and with local storage all of them would have to be where it lies. A copy also lets the template go. Null without an ISO.
 */
export const wantedIso = ({ spec, namespace }: AskedVm, defaultClass: string | null): WantedDataVolume | null =>
  spec.isoClaim
    ? {
        source: { kind: 'volume', namespace, name: spec.isoClaim },
        sizeGi: null,
        storageClass: spec.storageClass ?? defaultClass,
        // Made while the template is there, and not when the machine is first switched on.
        immediate: true,
      }
    : null

export function wantedSettings({ spec, userData }: AskedVm): { values: Record<string, Secret> } {
  const ethernets = { [nic]: { match: { macaddress: spec.mac }, dhcp4: true } }
  // JSON is YAML.
  return { values: { userdata: userData(), networkdata: new Secret(JSON.stringify({ version: 2, ethernets })) } }
}

/** What this installation says about the machines of all tenants. */
export interface MachineSettings {
  /** An image with Windows drivers for disks and NICs; null gives none. */
  driversImage: string | null
}

export const wantedMachine = ({ spec, name, rowId }: AskedVm, settings: MachineSettings): WantedVm => ({
  power: spec.wantedPower,
  hostname: name,
  guest: spec.osType,
  vcpus: spec.cpu,
  memoryMi: spec.memoryMi,
  // As large as it may ever become while it runs: a new size waits for the next start, where a cluster that can would move the guest to another host
  // at once, and keep trying where there is none.
  maxVcpus: spec.cpu,
  maxMemoryMi: spec.memoryMi,
  firmware: { uuid: rowId, ...firmwareOf(spec) },
  graceSeconds,
  disks: [rootDiskOf(spec), ...traysOf(spec, settings)],
  nics: [{ name: nic, network: null, mac: spec.mac, model: spec.osType === 'windows' ? 'e1000e' : 'virtio' }],
  cloudInitSecret: vmParts.settings(rowId),
})

function firmwareOf({ osType, secureBoot, keepsGuestState }: VmRow): Pick<WantedVm['firmware'], 'boot' | 'tpm'> {
  const boot = secureBoot ? 'efiSecure' : 'efi'
  if (osType === 'windows') return { boot, tpm: keepsGuestState ? 'persistent' : 'volatile' }
  return { boot: secureBoot ? boot : 'bios' }
}

/**
 * The ISO comes after the disk: an empty disk is passed over, and one that something was installed on boots. Neither tray is one that can be emptied
 * while the machine runs: such a volume is attached beside the machine, where the scheduler does not see on which host it lies.
 */
function traysOf({ id, isoClaim, osType }: VmRow, { driversImage }: MachineSettings): WantedCdrom[] {
  const iso = { kind: 'volume', volume: vmParts.iso(id), hotpluggable: false } as const
  return [
    ...(isoClaim ? [{ kind: 'cdrom', name: 'iso', medium: iso, bootOrder: 2 } as const] : []),
    ...(osType === 'windows' && driversImage !== null
      ? [{ kind: 'cdrom', name: 'drivers', medium: { kind: 'image', image: driversImage } } as const]
      : []),
  ]
}

function rootDiskOf({ id, rootDisk, image, osType }: VmRow): WantedDisk {
  const root = { name: 'root', bus: osType === 'windows' ? 'sata' : 'virtio', bootOrder: 1 } as const
  if (rootDisk === 'ephemeral') return { kind: 'containerDisk', image, ...root }
  return { kind: 'disk', volume: vmParts.disk(id), serial: id.replaceAll('-', '').slice(0, 20), hotpluggable: false, ...root }
}
