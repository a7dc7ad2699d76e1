import { type WantedDataVolume } from '../cluster/writer/wanted-storage.ts'
import { type WantedDisk, type WantedVm } from '../cluster/writer/wanted-vm.ts'
import { vmParts } from '../domain/vm/parts.ts'
import { Secret } from '../runtime/secret.ts'
import { type AskedVm, type VmRow } from './vm-record.ts'

const graceSeconds = 60
const nic = 'nic0'

export const wantedDisk = ({ image, bootDiskSizeGi, storageClass }: VmRow, defaultClass: string | null): WantedDataVolume => ({
  source: { kind: 'registry', image },
  sizeGi: bootDiskSizeGi,
  storageClass: storageClass ?? defaultClass,
  // Also where volumes wait for their first use: a machine is not made in order to find out that its image is missing.
  immediate: true,
})

export function wantedSettings({ spec, userData }: AskedVm): { values: Record<string, Secret> } {
  const ethernets = { [nic]: { match: { macaddress: spec.mac }, dhcp4: true } }
  // JSON is YAML.
  return { values: { userdata: userData(), networkdata: new Secret(JSON.stringify({ version: 2, ethernets })) } }
}

export const wantedMachine = ({ spec, name, rowId }: AskedVm): WantedVm => ({
  power: spec.wantedPower,
  hostname: name,
  guest: spec.osType,
  vcpus: spec.cpu,
  memoryMi: spec.memoryMi,
  // As large as it may ever become while it runs: a new size waits for the next start, where a cluster that can would move the guest to another host
  // at once, and keep trying where there is none.
  maxVcpus: spec.cpu,
  maxMemoryMi: spec.memoryMi,
  firmware: { uuid: rowId, boot: spec.osType === 'windows' ? 'efi' : 'bios' },
  graceSeconds,
  disks: [rootDiskOf(spec)],
  nics: [{ name: nic, network: null, mac: spec.mac, model: spec.osType === 'windows' ? 'e1000e' : 'virtio' }],
  cloudInitSecret: vmParts.settings(rowId),
})

function rootDiskOf({ id, rootDisk, image, osType }: VmRow): WantedDisk {
  const root = { name: 'root', bus: osType === 'windows' ? 'sata' : 'virtio', bootOrder: 1 } as const
  if (rootDisk === 'ephemeral') return { kind: 'containerDisk', image, ...root }
  return { kind: 'disk', volume: vmParts.disk(id), serial: id.replaceAll('-', '').slice(0, 20), hotpluggable: false, ...root }
}
