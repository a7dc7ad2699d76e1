import 'reflect-metadata'
import { type RestRoute } from '../engine/rest/route.ts'
import { ChangeResolver } from '../edge/graphql/change/change.ts'
import { EventsTicketResolver } from '../edge/graphql/change/events-ticket.ts'
import { ClusterFeaturesResolver } from '../edge/graphql/cluster-capacity/cluster-feature.ts'
import { ClusterProblemResolver } from '../edge/graphql/cluster-capacity/cluster-problem.ts'
import { ClusterCapacityResolver } from '../edge/graphql/cluster-capacity/cluster-capacity.ts'
import { ApiKeyResolver } from '../edge/graphql/identity/api-key.ts'
import { SessionResolver } from '../edge/graphql/identity/session.ts'
import { AuditEventResolver } from '../edge/graphql/identity/audit-event.ts'
import { RoleResolver } from '../edge/graphql/identity/role.ts'
import { UserObjectsResolver, UserResolver } from '../edge/graphql/identity/user.ts'
import { SecondFactorResolver } from '../edge/graphql/identity/second-factor.ts'
import { ViewerResolver } from '../edge/graphql/identity/viewer.ts'
import {
  NetworkAddressObjectsResolver,
  NetworkAddressResolver,
} from '../edge/graphql/network/network-address.ts'
import { NetworkChangesResolver } from '../edge/graphql/network/network-changes.ts'
import { NetworkObjectsResolver, NetworkResolver } from '../edge/graphql/network/network.ts'
import { PublicNetworkResolver } from '../edge/graphql/network/public-network.ts'
import { NodeResolver } from '../edge/graphql/node/node.ts'
import { NicObjectsResolver, NicResolver, VmNicResolver } from '../edge/graphql/nic/nic.ts'
import { OperationObjectsResolver, OperationResolver } from '../edge/graphql/operation/operation.ts'
import { OverviewResolver } from '../edge/graphql/overview/overview.ts'
import { PlatformResolver } from '../edge/graphql/platform.ts'
import {
  SecurityGroupObjectsResolver,
  SecurityGroupResolver,
  SecurityGroupRuleObjectsResolver,
} from '../edge/graphql/security-group/security-group.ts'
import { ServiceOfferingResolver } from '../edge/graphql/service-offering/service-offering.ts'
import { SnapshotScheduleChangesResolver } from '../edge/graphql/snapshot-schedule/snapshot-schedule-changes.ts'
import {
  SnapshotScheduleObjectsResolver,
  SnapshotScheduleResolver,
} from '../edge/graphql/snapshot-schedule/snapshot-schedule.ts'
import { SshKeyObjectsResolver, SshKeyResolver } from '../edge/graphql/ssh-key/ssh-key.ts'
import { TenantQuotaResolver } from '../edge/graphql/tenant/tenant-quota.ts'
import { TenantResolver } from '../edge/graphql/tenant/tenant.ts'
import {
  UnmanagedVmObjectsResolver,
  UnmanagedVmResolver,
} from '../edge/graphql/unmanaged-vm/unmanaged-vm.ts'
import { VmSnapshotChangesResolver } from '../edge/graphql/vm-snapshot/vm-snapshot-changes.ts'
import {
  VmSnapshotObjectsResolver,
  VmSnapshotResolver,
} from '../edge/graphql/vm-snapshot/vm-snapshot.ts'
import { VmSshResolver } from '../edge/graphql/vm-ssh/vm-ssh.ts'
import { VmTemplateChangesResolver } from '../edge/graphql/vm-template/vm-template-changes.ts'
import {
  VmTemplateObjectsResolver,
  VmTemplateResolver,
} from '../edge/graphql/vm-template/vm-template.ts'
import { VmChangesResolver } from '../edge/graphql/vm/vm-changes.ts'
import { VmConsoleResolver } from '../edge/graphql/vm/vm-console.ts'
import { VmEventResolver } from '../edge/graphql/vm/vm-event.ts'
import { VmDriftResolver } from '../edge/graphql/vm/vm-drift.ts'
import { VmIsoResolver } from '../edge/graphql/vm/vm-iso.ts'
import { VmLogResolver } from '../edge/graphql/vm/vm-log.ts'
import { VmListsResolver, VmObjectsResolver } from '../edge/graphql/vm/vm-objects.ts'
import { VmPowerResolver } from '../edge/graphql/vm/vm-power.ts'
import { VmSecurityResolver } from '../edge/graphql/vm/vm-security.ts'
import { VmVolumesResolver } from '../edge/graphql/vm/vm-volumes.ts'
import { VmResolver } from '../edge/graphql/vm/vm.ts'
import { VolumeSnapshotChangesResolver } from '../edge/graphql/volume-snapshot/volume-snapshot-changes.ts'
import {
  VolumeSnapshotObjectsResolver,
  VolumeSnapshotResolver,
} from '../edge/graphql/volume-snapshot/volume-snapshot.ts'
import { StorageClassResolver } from '../edge/graphql/volume/storage-class.ts'
import { VolumeChangesResolver } from '../edge/graphql/volume/volume-changes.ts'
import { VolumeDeletionImpactResolver } from '../edge/graphql/volume/volume-deletion-impact.ts'
import {
  VolumeListsResolver,
  VolumeObjectsResolver,
} from '../edge/graphql/volume/volume-objects.ts'
import { VolumeResolver } from '../edge/graphql/volume/volume.ts'
import { VpcChangesResolver } from '../edge/graphql/vpc/vpc-changes.ts'
import { VpcObjectsResolver, VpcResolver } from '../edge/graphql/vpc/vpc.ts'
import { securityGroupRoutes } from '../edge/rest/access/security-group.ts'
import { sshKeyRoutes } from '../edge/rest/access/ssh-key.ts'
import { eventRoutes } from '../edge/rest/event/events.ts'
import { apiKeyRoutes } from '../edge/rest/identity/api-key.ts'
import { sessionRoutes } from '../edge/rest/identity/session.ts'
import { auditEventRoutes } from '../edge/rest/identity/audit-event.ts'
import { auditExportRoutes } from '../edge/rest/identity/audit-export.ts'
import { secondFactorRoutes } from '../edge/rest/identity/second-factor.ts'
import { authRoutes } from '../edge/rest/identity/auth.ts'
import { roleRoutes } from '../edge/rest/identity/role.ts'
import { userRoutes } from '../edge/rest/identity/user.ts'
import { networkRoutes } from '../edge/rest/network/network.ts'
import { vpcRoutes } from '../edge/rest/network/vpc.ts'
import { clusterRoutes } from '../edge/rest/overview/cluster.ts'
import { operationRoutes } from '../edge/rest/overview/operation.ts'
import { overviewRoutes } from '../edge/rest/overview/overview.ts'
import { serviceOfferingRoutes } from '../edge/rest/tenant/service-offering.ts'
import { quotaRoutes } from '../edge/rest/tenant/quota.ts'
import { tenantRoutes } from '../edge/rest/tenant/tenant.ts'
import { unmanagedVmRoutes } from '../edge/rest/vm/unmanaged-vm.ts'
import { vmActionRoutes } from '../edge/rest/vm/vm-action.ts'
import { vmSnapshotRoutes } from '../edge/rest/vm/vm-snapshot.ts'
import { vmSshRoutes } from '../edge/rest/vm/vm-ssh.ts'
import { vmTemplateRoutes } from '../edge/rest/vm/vm-template.ts'
import { vmVerbRoutes } from '../edge/rest/vm/vm-verb.ts'
import { vmVolumeRoutes } from '../edge/rest/vm/vm-volume.ts'
import { vmRoutes } from '../edge/rest/vm/vm.ts'
import { snapshotScheduleRoutes } from '../edge/rest/volume/snapshot-schedule.ts'
import { volumeSnapshotRoutes } from '../edge/rest/volume/volume-snapshot.ts'
import { volumeRoutes } from '../edge/rest/volume/volume.ts'

/**
 * The GraphQL resolvers of each noun, and its REST routes in the order of their description.
 * Reconcilers are in `reconcile/nouns.ts`, because a worker loads no interfaces.
 */
const nouns = [
  {
    resolvers: [ViewerResolver, SecondFactorResolver],
    routes: [...authRoutes, ...secondFactorRoutes],
  },
  {
    resolvers: [TenantResolver, TenantQuotaResolver],
    routes: [...tenantRoutes, ...quotaRoutes],
  },
  {
    resolvers: [UserResolver, UserObjectsResolver],
    routes: userRoutes,
  },
  {
    resolvers: [RoleResolver],
    routes: roleRoutes,
  },
  {
    resolvers: [ApiKeyResolver],
    routes: apiKeyRoutes,
  },
  {
    resolvers: [SessionResolver],
    routes: sessionRoutes,
  },
  {
    resolvers: [VpcResolver, VpcObjectsResolver, VpcChangesResolver],
    routes: vpcRoutes,
  },
  {
    resolvers: [
      NetworkResolver,
      NetworkObjectsResolver,
      NetworkChangesResolver,
      NetworkAddressResolver,
      NetworkAddressObjectsResolver,
      PublicNetworkResolver,
    ],
    routes: networkRoutes,
  },
  {
    resolvers: [
      SecurityGroupResolver,
      SecurityGroupObjectsResolver,
      SecurityGroupRuleObjectsResolver,
    ],
    routes: securityGroupRoutes,
  },
  {
    resolvers: [
      VolumeResolver,
      VolumeObjectsResolver,
      VolumeListsResolver,
      VolumeChangesResolver,
      VolumeDeletionImpactResolver,
      StorageClassResolver,
    ],
    routes: volumeRoutes,
  },
  {
    resolvers: [
      VolumeSnapshotResolver,
      VolumeSnapshotObjectsResolver,
      VolumeSnapshotChangesResolver,
    ],
    routes: volumeSnapshotRoutes,
  },
  {
    resolvers: [ServiceOfferingResolver],
    routes: serviceOfferingRoutes,
  },
  {
    resolvers: [VmTemplateResolver, VmTemplateObjectsResolver, VmTemplateChangesResolver],
    routes: vmTemplateRoutes,
  },
  {
    resolvers: [
      VmResolver,
      VmObjectsResolver,
      VmListsResolver,
      VmChangesResolver,
      VmConsoleResolver,
      VmEventResolver,
      VmIsoResolver,
      VmDriftResolver,
      VmLogResolver,
      VmPowerResolver,
      VmSecurityResolver,
      VmVolumesResolver,
    ],
    routes: [...vmRoutes, ...vmVerbRoutes, ...vmActionRoutes, ...vmVolumeRoutes],
  },
  {
    resolvers: [UnmanagedVmResolver, UnmanagedVmObjectsResolver],
    routes: unmanagedVmRoutes,
  },
  {
    resolvers: [VmSshResolver],
    routes: vmSshRoutes,
  },
  {
    resolvers: [VmSnapshotResolver, VmSnapshotObjectsResolver, VmSnapshotChangesResolver],
    routes: vmSnapshotRoutes,
  },
  {
    resolvers: [NicResolver, VmNicResolver, NicObjectsResolver],
  },
  {
    resolvers: [
      SnapshotScheduleResolver,
      SnapshotScheduleObjectsResolver,
      SnapshotScheduleChangesResolver,
    ],
    routes: snapshotScheduleRoutes,
  },
  {
    resolvers: [SshKeyResolver, SshKeyObjectsResolver],
    routes: sshKeyRoutes,
  },
  {
    resolvers: [
      OverviewResolver,
      PlatformResolver,
      ClusterCapacityResolver,
      ClusterFeaturesResolver,
      ClusterProblemResolver,
    ],
    routes: [...overviewRoutes, ...clusterRoutes],
  },
  {
    resolvers: [OperationResolver, OperationObjectsResolver],
    routes: operationRoutes,
  },
  {
    resolvers: [ChangeResolver, EventsTicketResolver, NodeResolver],
    routes: eventRoutes,
  },
  {
    resolvers: [AuditEventResolver],
    routes: [...auditEventRoutes, ...auditExportRoutes],
  },
] as const

export const resolvers = nouns.flatMap((noun) => [...noun.resolvers])

/**
 * All routes of /api/v1. A route runs a GraphQL document, so the authorization of the resolvers
 * applies.
 */
export const restRoutes: readonly RestRoute[] = nouns.flatMap((noun) =>
  'routes' in noun ? [...noun.routes] : [],
)
