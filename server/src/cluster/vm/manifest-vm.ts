import { checkedName, ownershipLabels } from '../../engine/kube/refs.ts'
import {
  type DesiredCdrom,
  type DesiredContainerDisk,
  type DesiredDisk,
  type DesiredHardDisk,
  type DesiredNic,
  type DesiredVm,
} from '../desired/vm.ts'
import {
  type Content,
  type ContentTarget,
  optionalField,
} from '../../engine/kube/content/manifest.ts'
import { addressAnnotations } from '../network/manifest-subnet.ts'

const cloudInitDisk = 'cloudinit'

/**
 * Increases with each change of `vmContent`. A VM that an earlier release has applied differs from
 * the manifest of this release, although no other client has changed it.
 */
export const vmManifestVersion = { name: 'berth.dev/manifest-version', value: '1' } as const

/**
 * Builds the VirtualMachine. It stays off after its guest shut it down, and migrates to another
 * node when it can. The guest finds its disks by Berth's ids. Every field is set that KubeVirt
 * would otherwise fill at random or by a cluster default.
 */
export const vmContent = (vm: DesiredVm, { owner }: ContentTarget): Content => ({
  spec: {
    runStrategy: vm.power === 'on' ? 'RerunOnFailure' : 'Halted',
    template: {
      // KubeVirt copies the labels to the pod, where network policies and logs need them.
      metadata: {
        labels: ownershipLabels(owner),
        ...optionalField('annotations', annotationsOf(vm)),
      },
      spec: {
        // `LiveMigrate` would block the drain of a node for ever when the VM cannot migrate.
        evictionStrategy: 'LiveMigrateIfPossible',
        terminationGracePeriodSeconds: vm.graceSeconds,
        hostname: checkedName(vm.hostname),
        domain: domainOf(vm),
        networks: vm.nics.map(networkOf),
        volumes: [
          ...vm.disks.flatMap(volumeOf),
          ...(vm.cloudInitSecret === null ? [] : [cloudInitVolume(vm.cloudInitSecret)]),
        ],
      },
    },
  },
})

function annotationsOf({ nics }: DesiredVm): Record<string, string> | null {
  // The merged results of `addressAnnotations`.
  const annotations = Object.assign({}, ...nics.map(addressAnnotations)) as Record<string, string>
  return Object.keys(annotations).length === 0 ? null : annotations
}

const domainOf = (vm: DesiredVm): Content => ({
  cpu: {
    // KubeVirt can add only sockets while the VM runs.
    sockets: vm.vcpus,
    cores: 1,
    threads: 1,
    ...optionalField('maxSockets', vm.maxVcpus),
    // KubeVirt derives the requests and equal limits of the pod from the sockets and the memory.
    ...optionalField('dedicatedCpuPlacement', vm.dedicatedCpu ? true : null),
  },
  memory: {
    guest: `${vm.memoryMi}Mi`,
    ...optionalField('maxGuest', canGrow(vm) ? `${vm.maxMemoryMi}Mi` : null),
  },
  firmware: { uuid: vm.firmware.uuid, bootloader: bootloaderOf(vm) },
  ...optionalField('clock', vm.guest === 'windows' ? windowsClock : null),
  ...optionalField('features', featuresOf(vm)),
  devices: {
    rng: {},
    logSerialConsole: true,
    autoattachSerialConsole: true,
    ...optionalField('tpm', vm.firmware.tpm === undefined ? null : { persistent: keepsState(vm) }),
    // Without the tablet, the pointer in a graphical console drifts away from the user's pointer.
    inputs: [{ name: 'tablet', type: 'tablet', bus: 'usb' }],
    disks: [
      ...vm.disks.map(diskOf),
      ...(vm.cloudInitSecret === null ? [] : [{ name: cloudInitDisk, ...settingsDrive[vm.guest] }]),
    ],
    interfaces: vm.nics.map(interfaceOf),
  },
})

/** Windows reads its settings from a drive for which it has a built-in driver. */
const settingsDrive = {
  linux: { disk: { bus: 'virtio' } },
  windows: { cdrom: { bus: 'sata' } },
} as const

const keepsState = ({ firmware }: DesiredVm): boolean => firmware.tpm === 'persistent'

/** KubeVirt refuses `maxGuest` below 1 GiB, and for sizes that are not multiples of 2 MiB. */
const canGrow = ({ memoryMi, maxMemoryMi }: DesiredVm): boolean =>
  maxMemoryMi !== undefined && memoryMi >= 1024 && memoryMi % 2 === 0 && maxMemoryMi % 2 === 0

function bootloaderOf(vm: DesiredVm): Content {
  const { boot } = vm.firmware
  if (boot === 'bios') return { bios: {} }
  return {
    efi: {
      secureBoot: boot === 'efiSecure',
      ...optionalField('persistent', keepsState(vm) ? true : null),
    },
  }
}

/** KubeVirt refuses secure boot without SMM. */
function featuresOf({ guest, firmware }: DesiredVm): Content | null {
  const smm = firmware.boot === 'efiSecure' ? { smm: { enabled: true } } : {}
  if (guest === 'windows') return { acpi: {}, apic: {}, ...smm, hyperv: windowsHyperv }
  return firmware.boot === 'efiSecure' ? { acpi: {}, ...smm } : null
}

/** Without these timers Windows keeps wrong time and uses CPU while it is idle. */
const windowsClock = {
  utc: {},
  timer: {
    hpet: { present: false },
    pit: { tickPolicy: 'delay' },
    rtc: { tickPolicy: 'catchup' },
    hyperv: {},
  },
}
/**
 * All Hyper-V features of KubeVirt except re-enlightenment. That one binds a VM to nodes with a
 * steady clock and only helps nested VMs.
 */
const windowsHyperv = {
  relaxed: {},
  vapic: {},
  spinlocks: { spinlocks: 8191 },
  vpindex: {},
  runtime: {},
  synic: {},
  synictimer: { direct: {} },
  frequencies: {},
  tlbflush: {},
  ipi: {},
  reset: {},
}

function diskOf(disk: DesiredDisk): Content {
  if (disk.kind === 'cdrom') return cdromOf(disk)
  return disk.kind === 'disk' ? hardDiskOf(disk) : containerDiskOf(disk)
}

/** KubeVirt refuses virtio for a CD-ROM. */
const cdromOf = ({ name, bootOrder }: DesiredCdrom): Content => ({
  name: checkedName(name),
  cdrom: { bus: 'sata' },
  ...optionalField('bootOrder', bootOrder),
})

const hardDiskOf = ({ name, bus, serial, bootOrder }: DesiredHardDisk): Content => ({
  name: checkedName(name),
  disk: { bus },
  serial,
  ...optionalField('bootOrder', bootOrder),
})

const containerDiskOf = ({ name, bus, bootOrder }: DesiredContainerDisk): Content => ({
  name: checkedName(name),
  disk: { bus },
  ...optionalField('bootOrder', bootOrder),
})

/** References the claim and not the DataVolume, because KubeVirt writes it so after a restore. */
function volumeOf(disk: DesiredDisk): Content[] {
  if (disk.kind === 'containerDisk') return [imageVolume(disk)]
  if (disk.kind === 'disk') return [claimVolume(disk.name, disk)]
  if (disk.medium === null) return []
  return [
    disk.medium.kind === 'image'
      ? imageVolume({ name: disk.name, ...disk.medium })
      : claimVolume(disk.name, disk.medium),
  ]
}

const imageVolume = ({
  name,
  image,
  pullPolicy,
}: Pick<DesiredContainerDisk, 'name' | 'image' | 'pullPolicy'>): Content => ({
  name: checkedName(name),
  containerDisk: { image, ...optionalField('imagePullPolicy', pullPolicy) },
})

const claimVolume = (
  name: string,
  { volume, hotpluggable }: { volume: string; hotpluggable: boolean },
): Content => ({
  name: checkedName(name),
  persistentVolumeClaim: {
    claimName: checkedName(volume),
    ...optionalField('hotpluggable', hotpluggable ? true : null),
  },
})

function cloudInitVolume(secret: string): Content {
  const secretRef = { name: checkedName(secret) }
  return { name: cloudInitDisk, cloudInitNoCloud: { secretRef, networkDataSecretRef: secretRef } }
}

/** Without `masquerade` the cluster network would be bridged, and the VM could not migrate. */
const interfaceOf = ({ name, network, mac, model, isLeaving }: DesiredNic): Content => ({
  name: checkedName(name),
  model,
  macAddress: mac,
  ...(network === null ? { masquerade: {} } : { bridge: {} }),
  // KubeVirt removes the NIC from the spec itself after the guest has released it.
  ...optionalField('state', isLeaving ? 'absent' : null),
})

/**
 * Names the attachment with the namespace of its VPC. Multus lets any VM use any attachment; only
 * Berth's rows tell which networks a tenant owns.
 */
const networkOf = ({ name, network }: DesiredNic): Content => ({
  name: checkedName(name),
  ...(network === null
    ? { pod: {} }
    : {
        multus: { networkName: `${checkedName(network.namespace)}/${checkedName(network.name)}` },
      }),
})
