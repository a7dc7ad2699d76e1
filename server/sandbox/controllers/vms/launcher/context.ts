import { clusterConfig } from '../../../objects/vms/cluster-config.ts'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type Client } from '../../client.ts'
import { read } from '../../../objects/read.ts'

/** The inputs of a launcher pod other than the VMI. */
export interface LauncherContext {
  /** `spec.configuration` of the KubeVirt object. */
  configuration: JsonMap
  isGateEnabled(gate: string): boolean
  claimOf(name: string): KubeObject | undefined
  /** True when a quota limits the resource, so that every pod in the namespace must set a limit. */
  isLimited(resource: 'cpu' | 'memory'): boolean
  /** The exact images of a migrating guest by volume. */
  images: Readonly<Record<string, string>>
}

/** Reads the inputs of a launcher pod from the cluster. */
export function launcherContext(
  client: Client,
  { metadata: { namespace } }: KubeObject,
  images: Record<string, string> = {},
): LauncherContext {
  const [kubeVirt] = client.list('kubevirts.kubevirt.io')
  return {
    configuration: read.map(read.at(kubeVirt?.spec, 'configuration')),
    isGateEnabled: (gate) => clusterConfig(client).isGateEnabled(gate),
    claimOf: (name) => client.get('persistentvolumeclaims', namespace, name),
    isLimited: (resource) =>
      client
        .list('resourcequotas', namespace)
        .some((quota) => read.at(quota.spec, 'hard', `limits.${resource}`) !== undefined),
    images,
  }
}

export const emulates = ({ configuration }: LauncherContext): boolean =>
  read.at(configuration.developerConfiguration, 'useEmulation') === true
