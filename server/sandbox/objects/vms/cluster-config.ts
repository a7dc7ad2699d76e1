import { type WebhookRequest } from '../resource.ts'
import { type KubeObject } from '../types.ts'
import { read } from '../read.ts'

/** The cluster-wide settings of the KubeVirt object that admission needs. */
export interface ClusterConfig {
  isGateEnabled(gate: string): boolean
  architecture: string
  evictionStrategy: string
  defaultBinding: string
  bridgesPodNetwork: boolean
  liveUpdates: boolean
  maxHotplugRatio: number
}

/**
 * Feature gates that are on unless the KubeVirt object disables them. All other gates are off
 * unless it enables them.
 */
const onByDefault = [
  'LibvirtHooksServerAndClient',
  'ImageVolume',
  'Snapshot',
  'WorkloadEncryptionSEV',
  'KubevirtSeccompProfile',
  'NodeRestriction',
  'GPUsWithDRA',
  'HostDevicesWithDRA',
  'DeclarativeHotplugVolumes',
  'PasstBinding',
  'PodSecondaryInterfaceNamingUpgrade',
  'ExternalNetResourceInjection',
  'RebootPolicy',
  'Template',
  'VmiMemoryOverheadReport',
  'OptOutRoleAggregation',
]

/** Reads the settings from the KubeVirt object, with KubeVirt's defaults for missing ones. */
export function clusterConfig(reader: Pick<WebhookRequest, 'list'>): ClusterConfig {
  const [kubeVirt] = reader.list('kubevirts.kubevirt.io')
  return configOf(kubeVirt)
}

function configOf(kubeVirt: KubeObject | undefined): ClusterConfig {
  const set = read.map(read.at(kubeVirt?.spec, 'configuration'))
  const developer = read.map(set.developerConfiguration)
  const enabled = read.texts(developer.featureGates)
  const disabled = read.texts(developer.disabledFeatureGates)
  const network = read.map(set.network)
  const ratio = read.at(set, 'liveUpdateConfiguration', 'maxHotplugRatio')
  return {
    isGateEnabled: (gate) =>
      enabled.includes(gate) || (onByDefault.includes(gate) && !disabled.includes(gate)),
    architecture: 'amd64',
    evictionStrategy: read.text(set.evictionStrategy) || 'None',
    defaultBinding: read.text(network.defaultNetworkInterface) || 'bridge',
    bridgesPodNetwork: network.permitBridgeInterfaceOnPodNetwork !== false,
    liveUpdates: set.vmRolloutStrategy !== 'Stage',
    maxHotplugRatio: typeof ratio === 'number' && ratio > 0 ? ratio : 4,
  }
}

const machineTypes: Readonly<Record<string, string>> = {
  amd64: 'q35',
  arm64: 'virt',
  s390x: 's390-ccw-virtio',
}

/** The default machine type; unknown architectures count as amd64, as in KubeVirt. */
export const machineTypeFor = (architecture: string): string => machineTypes[architecture] ?? 'q35'

/** The patterns of allowed machine types. */
export const machineTypePatterns = (architecture: string): readonly string[] =>
  architecture === 'arm64'
    ? ['virt*']
    : architecture === 's390x'
      ? ['s390-ccw-virtio*']
      : ['q35*', 'pc-q35*']
