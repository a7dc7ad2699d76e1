import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type NetworkDriver } from '../network/driver.ts'
import { type Ability } from '../storage-class/storage-class.ts'

/** Features of Berth that need a component or a setting of the cluster. */
export const clusterFeatureNames = [
  'virtual_machines',
  'live_hotplug',
  'live_nics',
  'vm_snapshots',
  'vm_exports',
  'image_imports',
  'volume_snapshots',
  'extra_networks',
  'attachment_policies',
  'network_filters',
  'host_bridges',
  'guest_state',
] as const
export type ClusterFeatureName = (typeof clusterFeatureNames)[number]

export interface ClusterFeatureView extends Ability {
  name: ClusterFeatureName
}

export interface NetworkDriverView extends Ability {
  name: NetworkDriver
}

/** The versions of the cluster's components, and the features that it offers with them. */
export interface ClusterFeaturesView {
  kubernetesVersion: string | null
  kubevirtVersion: string | null
  cdiVersion: string | null
  features: readonly ClusterFeatureView[]
  networkDrivers: readonly NetworkDriverView[]
}

/** Returns the fault for a request that needs the features before the cluster has been read. */
export const clusterUnread = (): Fault =>
  new Fault('cluster_unavailable', messageOf('capability.untold'), { retryAfterSeconds: 2 })

/** Returns the features. Refuses while the cluster has not been read. */
export function requireClusterFeatures(found: ClusterFeaturesView | null): ClusterFeaturesView {
  if (found) return found
  throw clusterUnread()
}
