import {
  type FoundDisk,
  type FoundFirmware,
  type FoundNic,
  type FoundVm,
} from '../../domain/unmanaged-vm/unmanaged-vm.ts'
import { type ImagePullPolicy, imagePullPolicies } from '../../domain/vm-template/image.ts'
import { bytesFrom } from '../../engine/kube/content/quantity.ts'
import { fieldAt, listAt, textAt } from '../../engine/kube/field-at.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { ownerIn } from '../../engine/kube/observed-object.ts'
import { numberAt } from './conditions.ts'
import { devices, foreignSettingsOf, isSet, vmTemplate } from './vm-fields.ts'

/** Describes a VM object of any client. Never throws: the object is untrusted. */
export const foundVm = (vm: ApiObject, claims: readonly ApiObject[]): FoundVm => ({
  power: powerOf(vm),
  status: textAt(vm, 'status', 'printableStatus'),
  hasVmi: fieldAt(vm, 'status', 'created') === true,
  cpu: fieldAt(vm, 'spec', 'instancetype') === undefined ? vcpusOf(vm) : null,
  memoryMi: positive(memoryMiOf(vm)),
  dedicatedCpu: fieldAt(vm, ...vmTemplate, 'domain', 'cpu', 'dedicatedCpuPlacement') === true,
  hostname: textAt(vm, ...vmTemplate, 'hostname'),
  isWindows: isSet(fieldAt(vm, ...vmTemplate, 'domain', 'features', 'hyperv')),
  firmware: firmwareOf(vm),
  disks: disksOf(vm, claims),
  nics: nicsOf(vm),
  settings: foreignSettingsOf(vm).map((path) => path.join('.')),
  hasRunningField: fieldAt(vm, 'spec', 'running') !== undefined,
})

/** The older field `running` stands for a run strategy. */
function powerOf(vm: ApiObject): FoundVm['power'] {
  const strategy = textAt(vm, 'spec', 'runStrategy')
  if (strategy !== null) return strategy === 'Halted' ? 'off' : 'on'
  return fieldAt(vm, 'spec', 'running') === true ? 'on' : 'off'
}

export function vcpusOf(vm: ApiObject): number {
  const cpu = fieldAt(vm, ...vmTemplate, 'domain', 'cpu')
  return ['sockets', 'cores', 'threads'].reduce(
    (product, field) => product * (numberAt(cpu, field) ?? 1),
    1,
  )
}

const mebibyte = 2 ** 20

const positive = (found: number | null): number | null =>
  found !== null && found > 0 ? found : null

/** The memory of the guest; null when the object names no whole number of MiB. */
export function memoryMiOf(vm: ApiObject): number | null {
  const bytes = bytesFrom(textAt(vm, ...vmTemplate, 'domain', 'memory', 'guest'))
  return bytes !== null && bytes % mebibyte === 0 ? bytes / mebibyte : null
}

function firmwareOf(vm: ApiObject): FoundFirmware {
  const firmware = fieldAt(vm, ...vmTemplate, 'domain', 'firmware')
  const efi = fieldAt(firmware, 'bootloader', 'efi')
  const tpm = fieldAt(vm, ...devices, 'tpm')
  return {
    uuid: textAt(firmware, 'uuid'),
    // KubeVirt boots securely unless the object says otherwise.
    boot: efi === undefined ? 'bios' : fieldAt(efi, 'secureBoot') === false ? 'efi' : 'efiSecure',
    tpm: tpm === undefined ? null : fieldAt(tpm, 'persistent') === true ? 'persistent' : 'volatile',
  }
}

const disksOf = (vm: ApiObject, claims: readonly ApiObject[]): FoundDisk[] => {
  const disks = listAt(vm, ...devices, 'disks')
  return listAt(vm, ...vmTemplate, 'volumes').flatMap((volume) => {
    const name = textAt(volume, 'name')
    if (name === null) return []
    const disk = disks.find((each) => textAt(each, 'name') === name)
    return [{ name, isCdrom: fieldAt(disk, 'cdrom') !== undefined, ...sourceOf(volume, claims) }]
  })
}

const gibibyte = 2 ** 30
const noStorage = {
  sizeGi: null,
  storageClass: null,
  claimRowId: null,
  isDataVolume: false,
} as const

function sourceOf(
  volume: unknown,
  claims: readonly ApiObject[],
): Omit<FoundDisk, 'name' | 'isCdrom'> {
  const source =
    textAt(volume, 'persistentVolumeClaim', 'claimName') ?? textAt(volume, 'dataVolume', 'name')
  if (source !== null) return { kind: 'volume', source, ...storageOf(source, claims) }
  const image = textAt(volume, 'containerDisk', 'image')
  if (image !== null)
    return { kind: 'image', source: image, ...noStorage, pullPolicy: pullPolicyOf(volume) }
  const isCloudInit = ['cloudInitNoCloud', 'cloudInitConfigDrive'].some(
    (field) => fieldAt(volume, field) !== undefined,
  )
  return { kind: isCloudInit ? 'cloud_init' : 'other', source: null, ...noStorage }
}

const pullPolicyOf = (volume: unknown): ImagePullPolicy | null => {
  const found = textAt(volume, 'containerDisk', 'imagePullPolicy')
  return imagePullPolicies.find((policy) => policy === found) ?? null
}

function storageOf(
  name: string,
  claims: readonly ApiObject[],
): Pick<FoundDisk, 'sizeGi' | 'storageClass' | 'claimRowId' | 'isDataVolume'> {
  const claim = claims.find(({ metadata }) => metadata.name === name)
  const bytes = bytesFrom(textAt(claim, 'status', 'capacity', 'storage'))
  return {
    // CDI makes a claim larger than it was requested, for the overhead of a file system.
    sizeGi: bytes === null ? null : Math.max(1, Math.floor(bytes / gibibyte)),
    storageClass: textAt(claim, 'spec', 'storageClassName'),
    claimRowId: claim ? ownerIn(claim.metadata.labels).rowId : null,
    isDataVolume: listAt(claim, 'metadata', 'ownerReferences').some(
      (owner) => textAt(owner, 'kind') === 'DataVolume',
    ),
  }
}

const nicsOf = (vm: ApiObject): FoundNic[] => {
  const networks = listAt(vm, ...vmTemplate, 'networks')
  return listAt(vm, ...devices, 'interfaces').flatMap((each) => {
    const name = textAt(each, 'name')
    if (name === null) return []
    const network = networks.find((one) => textAt(one, 'name') === name)
    return [
      {
        name,
        network: attachmentOf(network, vm.metadata.namespace ?? ''),
        mac: textAt(each, 'macAddress')?.replaceAll('-', ':').toLowerCase() ?? null,
      },
    ]
  })
}

/** An attachment without a namespace is one of the VM's namespace. */
function attachmentOf(network: unknown, namespace: string): string | null {
  const name = textAt(network, 'multus', 'networkName')
  return name === null || name.includes('/') ? name : `${namespace}/${name}`
}
