import { type ImagePullPolicy } from '../vm-template/image.ts'
import { type Power } from '../vm/vm.ts'

/*
 * Unmanaged VMs: VirtualMachine objects in the namespace of a tenant that no row describes. Another
 * client made them, or the row was lost with its database.
 */

/** The content of a disk of a VM object. */
export const foundDiskKinds = ['volume', 'image', 'cloud_init', 'other'] as const
export type FoundDiskKind = (typeof foundDiskKinds)[number]

export interface FoundDisk {
  name: string
  kind: FoundDiskKind
  isCdrom: boolean
  /** The claim of a volume, or the name of a container image; null for all other kinds. */
  source: string | null
  /** The size and the class of the claim; null while it has no storage, and for other kinds. */
  sizeGi: number | null
  storageClass: string | null
  /** The row of Berth that the claim belongs to; null when it belongs to none. */
  claimRowId: string | null
  /** True when a DataVolume owns the claim. */
  isDataVolume: boolean
  /** When a node pulls the image. Absent in descriptions of an earlier build. */
  pullPolicy?: ImagePullPolicy | null
}

export interface FoundNic {
  name: string
  /** The attachment of the network, as `namespace/name`; null for the cluster network. */
  network: string | null
  /** The MAC address; null when the cluster chooses one at each start. */
  mac: string | null
}

export interface FoundFirmware {
  uuid: string | null
  boot: 'bios' | 'efi' | 'efiSecure'
  tpm: 'persistent' | 'volatile' | null
}

/** A VM object as the cluster has it, as far as Berth can describe it. */
export interface FoundVm {
  power: Power
  /** The status in the words of KubeVirt; null when it shows none. */
  status: string | null
  /** True while a VMI exists. */
  hasVmi: boolean
  cpu: number | null
  /** The memory of the guest; null when the object sets none, or no whole MiB. */
  memoryMi: number | null
  dedicatedCpu: boolean
  hostname: string | null
  isWindows: boolean
  firmware: FoundFirmware
  disks: readonly FoundDisk[]
  nics: readonly FoundNic[]
  /** The fields that Berth never sets. */
  settings: readonly string[]
  /** True when the older field `running` stands for the run strategy. */
  hasRunningField: boolean
}

/** An unmanaged VM as its tenant sees it. */
export interface UnmanagedVmView {
  id: string
  tenantId: string
  name: string
  /** The row in the label of an object that Berth made; null for objects of other clients. */
  madeAs: string | null
  found: FoundVm
  /** Claims that another unmanaged VM uses too. */
  sharedClaims: readonly string[]
  clusterUid: string
  version: number
  createdAt: string
  updatedAt: string
}
