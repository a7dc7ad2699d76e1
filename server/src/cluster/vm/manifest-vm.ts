import { checkedName, ownershipLabels } from '../../engine/kube/refs.ts'
import {
  type WantedCdrom,
  type WantedContainerDisk,
  type WantedDisk,
  type WantedHardDisk,
  type WantedNic,
  type WantedVm,
} from '../desired/vm.ts'
import { type Content, type ContentPlace, maybe } from '../../engine/kube/manifest.ts'
import { addressNotes } from '../network/manifest-subnet.ts'

const cloudInitDisk = 'cloudinit'

/**
 * A VM that a guest can switch off and that then stays off, that moves to another node when it can,
 * and whose disks are found by the guest under our ids. Everything that KubeVirt would otherwise
 * fill in at random or by a cluster's default is said.
 */
export const vmContent = (vm: WantedVm, { owner }: ContentPlace): Content => ({
  spec: {
    runStrategy: vm.power === 'on' ? 'RerunOnFailure' : 'Halted',
    template: {
      // On the pod too, where network policies and logs look for them.
      metadata: { labels: ownershipLabels(owner), ...maybe('annotations', notesOf(vm)) },
      spec: {
        // `LiveMigrate` would block the drain of a node for ever where the VM cannot move.
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

function notesOf({ nics }: WantedVm): Record<string, string> | null {
  // what `addressNotes` gives, put together
  const notes = Object.assign({}, ...nics.map(addressNotes)) as Record<string, string>
  return Object.keys(notes).length === 0 ? null : notes
}

const domainOf = (vm: WantedVm): Content => ({
  // Only sockets can be added while it runs.
  cpu: { sockets: vm.vcpus, cores: 1, threads: 1, ...maybe('maxSockets', vm.maxVcpus) },
  memory: {
    guest: `${vm.memoryMi}Mi`,
    ...maybe('maxGuest', canGrow(vm) ? `${vm.maxMemoryMi}Mi` : null),
  },
  firmware: { uuid: vm.firmware.uuid, bootloader: bootloaderOf(vm) },
  ...maybe('clock', vm.guest === 'windows' ? windowsClock : null),
  ...maybe('features', featuresOf(vm)),
  devices: {
    rng: {},
    logSerialConsole: true,
    autoattachSerialConsole: true,
    ...maybe('tpm', vm.firmware.tpm === undefined ? null : { persistent: keepsState(vm) }),
    // Without it the pointer of a graphical console runs away from the hand.
    inputs: [{ name: 'tablet', type: 'tablet', bus: 'usb' }],
    disks: [
      ...vm.disks.map(diskOf),
      ...(vm.cloudInitSecret === null ? [] : [{ name: cloudInitDisk, ...settingsDrive[vm.guest] }]),
    ],
    interfaces: vm.nics.map(interfaceOf),
  },
})

/** Windows reads its settings from a drive that it has a driver for from the start. */
const settingsDrive = {
  linux: { disk: { bus: 'virtio' } },
  windows: { cdrom: { bus: 'sata' } },
} as const

const keepsState = ({ firmware }: WantedVm): boolean => firmware.tpm === 'persistent'

/** Less than 1 GiB cannot grow, and steps are of 2 MiB; saying so anyway is refused. */
const canGrow = ({ memoryMi, maxMemoryMi }: WantedVm): boolean =>
  maxMemoryMi !== undefined && memoryMi >= 1024 && memoryMi % 2 === 0 && maxMemoryMi % 2 === 0

function bootloaderOf(vm: WantedVm): Content {
  const { boot } = vm.firmware
  if (boot === 'bios') return { bios: {} }
  return {
    efi: { secureBoot: boot === 'efiSecure', ...maybe('persistent', keepsState(vm) ? true : null) },
  }
}

/** Secure boot needs SMM, and is refused without. */
function featuresOf({ guest, firmware }: WantedVm): Content | null {
  const smm = firmware.boot === 'efiSecure' ? { smm: { enabled: true } } : {}
  if (guest === 'windows') return { acpi: {}, apic: {}, ...smm, hyperv: windowsHyperv }
  return firmware.boot === 'efiSecure' ? { acpi: {}, ...smm } : null
}

/** Without these Windows counts time wrongly and idles hot. */
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
 * All that KubeVirt knows for Windows but re-enlightenment: that binds a VM to hosts with a steady
 * clock, for the sake of nested machines.
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

function diskOf(disk: WantedDisk): Content {
  if (disk.kind === 'cdrom') return cdromOf(disk)
  return disk.kind === 'disk' ? hardDiskOf(disk) : containerDiskOf(disk)
}

/** Never virtio: KubeVirt refuses that for a CD-ROM. */
const cdromOf = ({ name, bootOrder }: WantedCdrom): Content => ({
  name: checkedName(name),
  cdrom: { bus: 'sata' },
  ...maybe('bootOrder', bootOrder),
})

const hardDiskOf = ({ name, bus, serial, bootOrder }: WantedHardDisk): Content => ({
  name: checkedName(name),
  disk: { bus },
  serial,
  ...maybe('bootOrder', bootOrder),
})

const containerDiskOf = ({ name, bus, bootOrder }: WantedContainerDisk): Content => ({
  name: checkedName(name),
  disk: { bus },
  ...maybe('bootOrder', bootOrder),
})

/**
 * By the claim and not by the data volume: after a restore the cluster would write it so anyway.
 */
function volumeOf(disk: WantedDisk): Content[] {
  if (disk.kind === 'containerDisk') return [imageVolume(disk)]
  if (disk.kind === 'disk') return [claimVolume(disk.name, disk)]
  if (disk.medium === null) return []
  return [
    disk.medium.kind === 'image'
      ? imageVolume({ name: disk.name, ...disk.medium })
      : claimVolume(disk.name, disk.medium),
  ]
}

const imageVolume = ({ name, image }: { name: string; image: string }): Content => ({
  name: checkedName(name),
  containerDisk: { image },
})

const claimVolume = (
  name: string,
  { volume, hotpluggable }: { volume: string; hotpluggable: boolean },
): Content => ({
  name: checkedName(name),
  persistentVolumeClaim: {
    claimName: checkedName(volume),
    ...maybe('hotpluggable', hotpluggable ? true : null),
  },
})

function cloudInitVolume(secret: string): Content {
  const secretRef = { name: checkedName(secret) }
  return { name: cloudInitDisk, cloudInitNoCloud: { secretRef, networkDataSecretRef: secretRef } }
}

/** Left out, the cluster's own network would be bridged and the VM could not move. */
const interfaceOf = ({ name, network, mac, model, isLeaving }: WantedNic): Content => ({
  name: checkedName(name),
  model,
  macAddress: mac,
  ...(network === null ? { masquerade: {} } : { bridge: {} }),
  // KubeVirt takes it out of the spec itself when nothing is left of it.
  ...maybe('state', isLeaving ? 'absent' : null),
})

/**
 * With the namespace of its VPC. Multus lets any VM into any of them: which are the tenant's own is
 * known from its rows and from nowhere else.
 */
const networkOf = ({ name, network }: WantedNic): Content => ({
  name: checkedName(name),
  ...(network === null
    ? { pod: {} }
    : {
        multus: { networkName: `${checkedName(network.namespace)}/${checkedName(network.name)}` },
      }),
})
