import { type NetworkDriver } from '../../domain/network/driver.ts'
import { type NicHotplugObstacles } from '../../domain/nic/wait-reasons.ts'
import { type SnapshotClass } from '../../domain/storage-class/snapshot-class.ts'
import { type MissingRight } from '../../engine/kube/missing-rights.ts'
import { type Message } from '../../engine/model/message.ts'

/**
 * A feature that Berth can offer, or the reason why it cannot, in words that an operator can act
 * on.
 */
export type Feature = { available: true; reason: null } | { available: false; reason: Message }

export const featureNames = [
  'virtualMachines',
  'liveHotplug',
  'liveNics',
  'vmSnapshots',
  'vmExports',
  'imageImports',
  'volumeSnapshots',
  'extraNetworks',
  'attachmentPolicies',
  'networkFilters',
  'hostBridges',
] as const
export type FeatureName = (typeof featureNames)[number]

/** Features of the volumes of one storage class. */
export interface StorageClassCapabilities {
  name: string
  provisioner: string
  isDefault: boolean
  /** A volume is bound only when a pod first uses it (`WaitForFirstConsumer`). */
  bindsOnFirstUse: boolean
  /** Access modes of CDI's StorageProfile, the preferred one first. */
  accessModes: readonly string[]
  expand: Feature
  /** The VolumeSnapshotClass that CDI's StorageProfile names. */
  profileSnapshotClass: string | null
  /** Live migration needs volumes that can be attached to two nodes at a time. */
  liveMigrate: Feature
  /** CDI can fill a volume, by an import or by a clone. */
  import: Feature
  cloneBy: 'csi' | 'snapshot' | 'copy' | 'unknown'
}

/** The features for which the cluster has what Berth needs, read from the cluster's API. */
export interface Capabilities {
  versions: { kubernetes: string | null; kubevirt: string | null; cdi: string | null }
  features: Readonly<Record<FeatureName, Feature>>
  /**
   * The firmware variables and the TPM state of a VM can persist across restarts; null when Berth
   * may not read the settings of KubeVirt.
   */
  guestState: Feature | null
  /**
   * How a disk is attached to a running VM: by the VM's spec, by the older API call, or not at all.
   */
  hotplugBy: 'spec' | 'call' | null
  networks: Readonly<Record<NetworkDriver, Feature>>
  /** Reasons why NICs cannot be attached to running VMs or detached from them. */
  nicObstacles: NicHotplugObstacles
  /** The addresses of the nodes and of the API server, as far as Berth may read them. */
  ownAddresses: readonly string[]
  /** vCPUs per physical core of a node (`cpuAllocationRatio`). */
  vcpusPerCore: number
  /** The storage classes of the cluster; null when Berth may not list them. */
  storageClasses: readonly StorageClassCapabilities[] | null
  snapshotClasses: readonly SnapshotClass[]
  /** Why the snapshot classes are not known; null when they are. */
  snapshotClassesRefused: Message | null
  /** The rights to kinds of this cluster that the account of Berth lacks; null when not known. */
  missingRights: readonly MissingRight[] | null
}

export const available: Feature = { available: true, reason: null }

export const unavailable = (reason: Message): Feature => ({ available: false, reason })
