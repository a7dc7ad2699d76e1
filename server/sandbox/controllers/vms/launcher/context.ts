import { clusterConfig } from '../../../objects/vms/cluster-config.ts'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type Desk } from '../../desk.ts'
import { read } from '../../../objects/read.ts'

/** The inputs of a launcher pod other than the VMI. */
export interface LauncherContext {
  /** `spec.configuration` of the KubeVirt object. */
  configuration: JsonMap
  isOn(gate: string): boolean
  claimOf(name: string): KubeObject | undefined
  /** True when a quota limits the resource, so that every pod in the namespace must set a limit. */
  isLimited(resource: 'cpu' | 'memory'): boolean
  /** The exact images of a migrating guest by volume. */
  images: Readonly<Record<string, string>>
}

export function launcherContext(
  desk: Desk,
  { metadata: { namespace } }: KubeObject,
  images: Record<string, string> = {},
): LauncherContext {
  const [kubeVirt] = desk.list('kubevirts.kubevirt.io')
  return {
    configuration: read.map(read.at(kubeVirt?.spec, 'configuration')),
    isOn: (gate) => clusterConfig(desk).isOn(gate),
    claimOf: (name) => desk.get('persistentvolumeclaims', namespace, name),
    isLimited: (resource) =>
      desk
        .list('resourcequotas', namespace)
        .some((quota) => read.at(quota.spec, 'hard', `limits.${resource}`) !== undefined),
    images,
  }
}

export const emulates = ({ configuration }: LauncherContext): boolean =>
  read.at(configuration.developerConfiguration, 'useEmulation') === true
