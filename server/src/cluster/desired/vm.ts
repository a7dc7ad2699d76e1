/*
 * Names in here are names of objects in the VM's namespace, and of disks and NICs of the VM. The
 * name `cloudinit` is taken.
 */
export interface WantedVm {
  power: 'on' | 'off'
  hostname: string
  guest: 'linux' | 'windows'
  vcpus: number
  /** How far it can grow while it runs. */
  maxVcpus?: number
  memoryMi: number
  maxMemoryMi?: number
  firmware: {
    /** Stays the same over restarts and restores, for licences and for cloud-init. */
    uuid: string
    boot: 'bios' | 'efi' | 'efiSecure'
    /**
     * Persistent: keeps its secrets and boot entries, at the price of a small volume and of
     * restores to other VMs.
     */
    tpm?: 'persistent' | 'volatile'
  }
  /** How long the guest may take to shut down. */
  graceSeconds: number
  disks: readonly WantedDisk[]
  /** In the order in which the guest sees them. */
  nics: readonly WantedNic[]
  /** The secret with `userdata` and `networkdata`. */
  cloudInitSecret: string | null
}

export type WantedDisk = WantedHardDisk | WantedContainerDisk | WantedCdrom

export interface WantedHardDisk {
  kind: 'disk'
  name: string
  volume: string
  bus: 'virtio' | 'scsi' | 'sata'
  /** What the guest finds it by; the first 20 characters count. */
  serial: string
  bootOrder?: number
  /** May be taken out while the VM runs. */
  hotpluggable: boolean
}

/** Comes with an image out of a registry and forgets what was written to it with each stop. */
export interface WantedContainerDisk {
  kind: 'containerDisk'
  name: string
  image: string
  bus: 'virtio' | 'scsi' | 'sata'
  bootOrder?: number
}

export interface WantedCdrom {
  kind: 'cdrom'
  name: string
  /** Null is an empty tray. */
  medium: WantedMedium | null
  bootOrder?: number
}

/**
 * What lies in a tray: a volume, which may be one that can be taken out while the VM runs, or the
 * disk in a container image.
 */
export type WantedMedium =
  { kind: 'volume'; volume: string; hotpluggable: boolean } | { kind: 'image'; image: string }

export interface WantedNic {
  name: string
  /** Null is the cluster's own network, which a VM has once at most. */
  network: { namespace: string; name: string } | null
  /** Without one the guest would see another address after each start. */
  mac: string
  model: 'virtio' | 'e1000e'
  /** A guest that runs is to let go of it; no other gets it. */
  isLeaving?: boolean
  /** Its address, where the network itself keeps account of who has which. */
  pinned?: string
}

export interface WantedVmSnapshot {
  vm: string
  deadlineSeconds: number
}

export interface WantedVmRestore {
  snapshot: string
  /** The VM of the snapshot, which is off. */
  target: string
  /**
   * By the disk's name in the VM: the data volume that its claim belongs to. Each gets a new claim
   * of the old one's name.
   */
  volumes: Readonly<Record<string, string>>
}

export interface WantedVmClone {
  source: { kind: 'vm' | 'vmSnapshot'; name: string }
  target: string
  /** By the NIC's name. */
  macs: Readonly<Record<string, string>>
  serial: string
}
