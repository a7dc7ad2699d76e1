import {
  type ClusterFeatureName,
  type ClusterFeaturesView,
  clusterFeatureNames,
} from '../../domain/cluster-feature/cluster-feature.ts'
import { networkDrivers } from '../../domain/network/driver.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type Capabilities, type Feature, unavailable } from './capabilities.ts'

/** Returns the capabilities as users read them. */
export function clusterFeaturesOf(found: Capabilities): ClusterFeaturesView {
  const { versions, features, guestState, networks } = found
  const known: Readonly<Record<ClusterFeatureName, Feature>> = {
    virtual_machines: features.virtualMachines,
    live_hotplug: features.liveHotplug,
    live_nics: features.liveNics,
    vm_snapshots: features.vmSnapshots,
    vm_exports: features.vmExports,
    image_imports: features.imageImports,
    volume_snapshots: features.volumeSnapshots,
    extra_networks: features.extraNetworks,
    attachment_policies: features.attachmentPolicies,
    network_filters: features.networkFilters,
    host_bridges: features.hostBridges,
    // Only the settings of KubeVirt tell it, and Berth may not read them everywhere.
    guest_state: guestState ?? unavailable(messageOf('capability.guest_state_unread')),
  }
  return {
    kubernetesVersion: versions.kubernetes,
    kubevirtVersion: versions.kubevirt,
    cdiVersion: versions.cdi,
    features: clusterFeatureNames.map((name) => ({ name, ...known[name] })),
    networkDrivers: networkDrivers.map((name) => ({ name, ...networks[name] })),
  }
}
