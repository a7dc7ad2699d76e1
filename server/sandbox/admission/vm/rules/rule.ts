import { type Cause } from '../../../objects/cause.ts'
import { type Json, type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { type ClusterConfig } from '../../../objects/vms/cluster-config.ts'

/** A VMI spec with its defaults, its path in the submitted object, and the cluster's settings. */
export interface RuleContext {
  spec: JsonMap
  at: string
  config: ClusterConfig
}

/**
 * A rule of KubeVirt's webhooks for VMs and VMIs. It returns the causes to refuse the object, in
 * KubeVirt's order.
 */
export type Rule = (context: RuleContext) => readonly Cause[]

/** Returns the causes whose condition holds. */
export const causesWhere = (
  ...pairs: readonly (readonly [holds: boolean, cause: Cause])[]
): Cause[] => pairs.filter(([holds]) => holds).map(([, cause]) => cause)

/** Shorthands for the parts of a spec that many rules read. */
export const parts = {
  domain: ({ spec }: Pick<RuleContext, 'spec'>): JsonMap => read.map(spec.domain),
  cpu: ({ spec }: Pick<RuleContext, 'spec'>): JsonMap => read.map(read.at(spec, 'domain', 'cpu')),
  memory: ({ spec }: Pick<RuleContext, 'spec'>): JsonMap =>
    read.map(read.at(spec, 'domain', 'memory')),
  devices: ({ spec }: Pick<RuleContext, 'spec'>): JsonMap =>
    read.map(read.at(spec, 'domain', 'devices')),
  disks: (context: Pick<RuleContext, 'spec'>): JsonMap[] => read.maps(parts.devices(context).disks),
  interfaces: (context: Pick<RuleContext, 'spec'>): JsonMap[] =>
    read.maps(parts.devices(context).interfaces),
  volumes: ({ spec }: Pick<RuleContext, 'spec'>): JsonMap[] => read.maps(spec.volumes),
  networks: ({ spec }: Pick<RuleContext, 'spec'>): JsonMap[] => read.maps(spec.networks),
  resource: (
    { spec }: Pick<RuleContext, 'spec'>,
    kind: 'requests' | 'limits',
    name: 'cpu' | 'memory',
  ): Json | undefined => read.at(spec, 'domain', 'resources', kind, name),
}
