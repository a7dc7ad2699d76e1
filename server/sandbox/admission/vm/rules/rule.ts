import { type Cause } from '../../../objects/cause.ts'
import { type Json, type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { type ClusterConfig } from '../../../objects/vms/cluster-config.ts'

/**
 * What is asked of an instance, with its defaults, and where in the object that somebody wrote it
 * stands.
 */
export interface Asked {
  spec: JsonMap
  at: string
  config: ClusterConfig
}

/** What one rule finds wrong, in the order in which KubeVirt finds it. */
export type Rule = (asked: Asked) => readonly Cause[]

/** The causes whose condition holds. */
export const found = (...pairs: readonly (readonly [holds: boolean, cause: Cause])[]): Cause[] =>
  pairs.filter(([holds]) => holds).map(([, cause]) => cause)

/** Shorthands for the parts of a spec that many rules look at. */
export const parts = {
  domain: ({ spec }: Pick<Asked, 'spec'>): JsonMap => read.map(spec.domain),
  cpu: ({ spec }: Pick<Asked, 'spec'>): JsonMap => read.map(read.at(spec, 'domain', 'cpu')),
  memory: ({ spec }: Pick<Asked, 'spec'>): JsonMap => read.map(read.at(spec, 'domain', 'memory')),
  devices: ({ spec }: Pick<Asked, 'spec'>): JsonMap => read.map(read.at(spec, 'domain', 'devices')),
  disks: (asked: Pick<Asked, 'spec'>): JsonMap[] => read.maps(parts.devices(asked).disks),
  interfaces: (asked: Pick<Asked, 'spec'>): JsonMap[] => read.maps(parts.devices(asked).interfaces),
  volumes: ({ spec }: Pick<Asked, 'spec'>): JsonMap[] => read.maps(spec.volumes),
  networks: ({ spec }: Pick<Asked, 'spec'>): JsonMap[] => read.maps(spec.networks),
  resource: (
    { spec }: Pick<Asked, 'spec'>,
    kind: 'requests' | 'limits',
    name: 'cpu' | 'memory',
  ): Json | undefined => read.at(spec, 'domain', 'resources', kind, name),
}
