import { clusterConfig } from '../../../objects/vms/cluster-config.ts'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type Desk } from '../../desk.ts'
import { read } from '../../../objects/read.ts'

/** What the pod of an instance depends on beside the instance itself. */
export interface LauncherContext {
  /** What the KubeVirt object configures. */
  configuration: JsonMap
  isOn(gate: string): boolean
  claimOf(name: string): KubeObject | undefined
  /** Whether a quota of the namespace limits the resource, so that every pod in it has to. */
  isLimited(resource: 'cpu' | 'memory'): boolean
  /** By volume: the very images that a guest on its way here has been started from. */
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
