import { type NetworkDriver } from '../../domain/network/driver.ts'
import { type NicHindrances } from '../../domain/nic/cold.ts'
import { type SnapshotClass } from '../../domain/storage-class/snapshot-class.ts'
import { type Message } from '../../engine/model/message.ts'

/**
 * Whether something can be offered; what is not available says why, in words that an operator can
 * act on.
 */
export type Feature = { available: true; reason: null } | { available: false; reason: Message }

export const featureNames = [
  'virtualMachines',
  'liveHotplug',
  'liveNics',
  'vmSnapshots',
  'vmClones',
  'vmExports',
  'imageImports',
  'volumeSnapshots',
  'extraNetworks',
  'attachmentPolicies',
  'networkFilters',
  'hostBridges',
] as const
export type FeatureName = (typeof featureNames)[number]

/** What volumes of one storage class can do. */
export interface StorageClassAbilities {
  name: string
  provisioner: string
  isDefault: boolean
  /** A volume may stay without a disk behind it until something uses it. */
  bindsOnFirstUse: boolean
  /** As far as CDI knows, the preferred one first. */
  accessModes: readonly string[]
  expand: Feature
  /** The VolumeSnapshotClass that CDI's StorageProfile names. */
  profileSnapshotClass: string | null
  /** Attached to two nodes at a time, without which no VM can move while it runs. */
  liveMigrate: Feature
  /** Filled by an import or a clone. */
  import: Feature
  cloneBy: 'csi' | 'snapshot' | 'copy' | 'unknown'
}

/** What this cluster can do, as found out by looking at it. */
export interface Capabilities {
  versions: { kubernetes: string | null; kubevirt: string | null; cdi: string | null }
  features: Readonly<Record<FeatureName, Feature>>
  /** What firmware and TPM of a VM remember is kept from one start to the next. */
  guestState: Feature
  /**
   * How a disk is attached to a running VM: by the VM's own spec, by the older call, or not at all.
   */
  hotplugBy: 'spec' | 'call' | null
  networks: Readonly<Record<NetworkDriver, Feature>>
  /** What keeps NICs from coming to VMs that run, or from leaving them. */
  nicHindrances: NicHindrances
  /** To so many VMs' CPUs KubeVirt promises each core of a host. */
  vcpusPerCore: number
  storageClasses: readonly StorageClassAbilities[]
  snapshotClasses: readonly SnapshotClass[]
}

export const available: Feature = { available: true, reason: null }

export const missing = (reason: Message): Feature => ({ available: false, reason })
