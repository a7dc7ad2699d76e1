/*
 * Names in this file are names of objects in the VM's namespace, and of disks and NICs of the VM.
 * The disk name `cloudinit` is reserved.
 */
export interface DesiredVm {
  power: 'on' | 'off'
  hostname: string
  guest: 'linux' | 'windows'
  vcpus: number
  /** Upper limit for CPU hotplug. */
  maxVcpus?: number
  /** Each vCPU gets a core of its own, on a node with a static CPU manager. */
  dedicatedCpu: boolean
  memoryMi: number
  maxMemoryMi?: number
  firmware: {
    /**
     * Stays the same across restarts and restores, because licences and cloud-init depend on it.
     */
    uuid: string
    boot: 'bios' | 'efi' | 'efiSecure'
    /**
     * A `persistent` TPM keeps its secrets, and the firmware its boot entries. It needs a small
     * extra volume and prevents restores to other VMs.
     */
    tpm?: 'persistent' | 'volatile'
  }
  /** Seconds that the guest may take to shut down. */
  graceSeconds: number
  disks: readonly DesiredDisk[]
  /** NICs in the order in which the guest sees them. */
  nics: readonly DesiredNic[]
  /** The secret with `userdata` and `networkdata`. */
  cloudInitSecret: string | null
}

export type DesiredDisk = DesiredHardDisk | DesiredContainerDisk | DesiredCdrom

export interface DesiredHardDisk {
  kind: 'disk'
  name: string
  volume: string
  bus: 'virtio' | 'scsi' | 'sata'
  /** The serial number by which the guest finds the disk. Only the first 20 characters count. */
  serial: string
  bootOrder?: number
  /** The disk can be detached while the VM runs. */
  hotpluggable: boolean
}

/** A disk from an image in a registry. Everything written to it is lost when the VM stops. */
export interface DesiredContainerDisk {
  kind: 'containerDisk'
  name: string
  image: string
  pullPolicy: PullPolicy
  bus: 'virtio' | 'scsi' | 'sata'
  bootOrder?: number
}

/** When the node pulls the image; null leaves it to the cluster. */
type PullPolicy = 'Always' | 'IfNotPresent' | null

export interface DesiredCdrom {
  kind: 'cdrom'
  name: string
  /** The inserted medium; null when the drive is empty. */
  medium: DesiredMedium | null
  bootOrder?: number
}

/**
 * The medium in a CD-ROM drive: a volume, which may be detachable while the VM runs, or the disk of
 * a container image.
 */
export type DesiredMedium =
  | { kind: 'volume'; volume: string; hotpluggable: boolean }
  | { kind: 'image'; image: string; pullPolicy: PullPolicy }

export interface DesiredNic {
  name: string
  /** The attachment of the network; null for the cluster network, which a VM has at most once. */
  network: { namespace: string; name: string } | null
  /** A fixed address. Without it the guest would get another MAC at each start. */
  mac: string
  model: 'virtio' | 'e1000e'
  /** The running guest should release the NIC. A guest that starts later does not get it. */
  isLeaving?: boolean
  /** The IP address, when the network's driver must know which NIC has it. */
  pinned?: string
}

export interface DesiredVmSnapshot {
  vm: string
  deadlineSeconds: number
}

export interface DesiredVmRestore {
  snapshot: string
  /** The VM of the snapshot, which must be off. */
  target: string
  /**
   * The DataVolume that owns each disk's claim, by disk name. Each disk gets a new claim with the
   * old name.
   */
  volumes: Readonly<Record<string, string>>
}

export interface DesiredVmClone {
  source: { kind: 'vm' | 'vmSnapshot'; name: string }
  target: string
  /** New MAC addresses by NIC name. */
  macs: Readonly<Record<string, string>>
  serial: string
}
