import { Ctx, Field, ObjectType, Query, Resolver } from 'type-graphql'
import {
  type ClusterFeatureName,
  type ClusterFeatureView,
  type ClusterFeaturesView,
  type NetworkDriverView,
  clusterFeatureNames,
  requireClusterFeatures,
} from '../../../domain/cluster-feature/cluster-feature.ts'
import { type NetworkDriver } from '../../../domain/network/driver.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { needs } from '../../../engine/graphql/needs.ts'
import { type Message } from '../../../engine/model/message.ts'
import { type FieldContext } from '../context.ts'

const FeatureNameEnum = enumOf('ClusterFeatureName', clusterFeatureNames, {
  description: 'A feature of Berth that needs a component or a setting of the cluster.',
  values: {
    virtual_machines: 'VMs run in the cluster. The feature needs KubeVirt.',
    live_hotplug: 'Volumes are attached to running VMs. The feature needs hotplug in KubeVirt.',
    live_nics:
      'NICs are attached to running VMs. The feature needs live migration and a second node.',
    vm_snapshots: 'Snapshots of VMs are taken. The feature needs snapshots in KubeVirt.',
    vm_exports: 'VMs can be exported. The feature needs VM exports in KubeVirt.',
    image_imports: 'Berth imports disk images and ISOs. The feature needs CDI.',
    volume_snapshots:
      'Snapshots of volumes are taken. The feature needs a VolumeSnapshotClass in the cluster.',
    extra_networks: 'VMs have NICs beside the cluster network. The feature needs Multus.',
    attachment_policies:
      'The cluster keeps VMs out of networks of other tenants. The feature needs admission policies.',
    network_filters:
      'Security groups apply outside the cluster network. The feature needs MultiNetworkPolicy.',
    host_bridges:
      'Berth creates the bridge of the public network on every node. The feature needs NMState.',
    guest_state:
      'VMs keep firmware and TPM state. The feature needs a `vmStateStorageClass` in KubeVirt.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'Tells whether the cluster offers what a feature of Berth needs.',
})
class ClusterFeature implements ClusterFeatureView {
  @Field(() => FeatureNameEnum, { description: 'The feature.' })
  name!: ClusterFeatureName
  @Field(() => Boolean, { description: 'True when the cluster has what the feature needs.' })
  available!: boolean
  @Field(() => String, { nullable: true, description: 'The missing component or setting.' })
  reason!: Message | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'Tells whether networks can be created with a network driver.',
})
class NetworkDriverSupport implements NetworkDriverView {
  @Field(() => String, {
    description: 'The name of the driver in the configuration of Berth.',
  })
  name!: NetworkDriver
  @Field(() => Boolean, { description: 'True when the cluster has what the driver needs.' })
  available!: boolean
  @Field(() => String, { nullable: true, description: 'The missing component.' })
  reason!: Message | null
}

@ObjectType({
  simpleResolvers: true,
  description:
    'The versions of the components of the cluster, and the features that it offers with them. Berth reads them about once a minute.',
})
class ClusterFeatures implements ClusterFeaturesView {
  @Field(() => String, {
    nullable: true,
    description: 'The version of Kubernetes; null while it does not report one.',
  })
  kubernetesVersion!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The version of KubeVirt; null without KubeVirt.',
  })
  kubevirtVersion!: string | null
  @Field(() => String, { nullable: true, description: 'The version of CDI; null without CDI.' })
  cdiVersion!: string | null
  @Field(() => [ClusterFeature], { description: 'All features that need something.' })
  features!: readonly ClusterFeatureView[]
  @Field(() => [NetworkDriverSupport], { description: 'All network drivers of Berth.' })
  networkDrivers!: readonly NetworkDriverView[]
}

@Resolver()
export class ClusterFeaturesResolver {
  // The reasons name components of the cluster, which only the operator can change.
  @needs('tenants:read')
  @Query(() => ClusterFeatures, {
    description: 'The features that the cluster offers, and what it lacks for the other ones.',
  })
  clusterFeatures(@Ctx() { berth }: FieldContext): ClusterFeaturesView {
    return requireClusterFeatures(berth.clusterFeatures())
  }
}
