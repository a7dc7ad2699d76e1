import 'reflect-metadata'
import { type Source } from '../engine/reconcile/sources.ts'
import { type RestRoute } from '../engine/rest/route.ts'
import { type QuotaLimits } from '../domain/tenant/quota.ts'
import { type KeyReaders } from '../store/store.ts'
import { ChangeResolver } from '../edge/graphql/change/change.ts'
import { EventsTicketResolver } from '../edge/graphql/change/events-ticket.ts'
import { ClusterCapacityResolver } from '../edge/graphql/cluster-capacity/cluster-capacity.ts'
import { ApiKeyResolver } from '../edge/graphql/identity/api-key.ts'
import { AuditEventResolver } from '../edge/graphql/identity/audit-event.ts'
import { RoleResolver } from '../edge/graphql/identity/role.ts'
import { UserResolver } from '../edge/graphql/identity/user.ts'
import { ViewerResolver } from '../edge/graphql/identity/viewer.ts'
import { NetworkAddressResolver } from '../edge/graphql/network/network-address.ts'
import { NetworkChangesResolver } from '../edge/graphql/network/network-changes.ts'
import { NetworkResolver } from '../edge/graphql/network/network.ts'
import { PublicNetworkResolver } from '../edge/graphql/network/public-network.ts'
import { NicResolver, VmNicResolver } from '../edge/graphql/nic/nic.ts'
import { OperationResolver } from '../edge/graphql/operation/operation.ts'
import { OverviewResolver } from '../edge/graphql/overview/overview.ts'
import { PlatformResolver } from '../edge/graphql/platform.ts'
import { SecurityGroupResolver } from '../edge/graphql/security-group/security-group.ts'
import { ServiceOfferingResolver } from '../edge/graphql/service-offering/service-offering.ts'
import { SnapshotScheduleChangesResolver } from '../edge/graphql/snapshot-schedule/snapshot-schedule-changes.ts'
import { SnapshotScheduleResolver } from '../edge/graphql/snapshot-schedule/snapshot-schedule.ts'
import { SshKeyResolver } from '../edge/graphql/ssh-key/ssh-key.ts'
import { TenantQuotaResolver } from '../edge/graphql/tenant/tenant-quota.ts'
import { TenantResolver } from '../edge/graphql/tenant/tenant.ts'
import { VmSnapshotChangesResolver } from '../edge/graphql/vm-snapshot/vm-snapshot-changes.ts'
import { VmSnapshotResolver } from '../edge/graphql/vm-snapshot/vm-snapshot.ts'
import { VmSshResolver } from '../edge/graphql/vm-ssh/vm-ssh.ts'
import { VmTemplateChangesResolver } from '../edge/graphql/vm-template/vm-template-changes.ts'
import { VmTemplateResolver } from '../edge/graphql/vm-template/vm-template.ts'
import { VmChangesResolver } from '../edge/graphql/vm/vm-changes.ts'
import { VmConsoleResolver } from '../edge/graphql/vm/vm-console.ts'
import { VmEventResolver } from '../edge/graphql/vm/vm-event.ts'
import { VmIsoResolver } from '../edge/graphql/vm/vm-iso.ts'
import { VmLogResolver } from '../edge/graphql/vm/vm-log.ts'
import { VmSecurityResolver } from '../edge/graphql/vm/vm-security.ts'
import { VmVolumesResolver } from '../edge/graphql/vm/vm-volumes.ts'
import { VmResolver } from '../edge/graphql/vm/vm.ts'
import { VolumeSnapshotChangesResolver } from '../edge/graphql/volume-snapshot/volume-snapshot-changes.ts'
import { VolumeSnapshotResolver } from '../edge/graphql/volume-snapshot/volume-snapshot.ts'
import { StorageClassResolver } from '../edge/graphql/volume/storage-class.ts'
import { VolumeChangesResolver } from '../edge/graphql/volume/volume-changes.ts'
import { VolumeDeletionImpactResolver } from '../edge/graphql/volume/volume-deletion-impact.ts'
import { VolumeResolver } from '../edge/graphql/volume/volume.ts'
import { VpcChangesResolver } from '../edge/graphql/vpc/vpc-changes.ts'
import { VpcResolver } from '../edge/graphql/vpc/vpc.ts'
import { securityGroupRoutes } from '../edge/rest/access/security-group.ts'
import { sshKeyRoutes } from '../edge/rest/access/ssh-key.ts'
import { eventRoutes } from '../edge/rest/event/events.ts'
import { apiKeyRoutes } from '../edge/rest/identity/api-key.ts'
import { authRoutes } from '../edge/rest/identity/auth.ts'
import { roleRoutes } from '../edge/rest/identity/role.ts'
import { userRoutes } from '../edge/rest/identity/user.ts'
import { networkRoutes } from '../edge/rest/network/network.ts'
import { vpcRoutes } from '../edge/rest/network/vpc.ts'
import { operationRoutes } from '../edge/rest/overview/operation.ts'
import { overviewRoutes } from '../edge/rest/overview/overview.ts'
import { serviceOfferingRoutes } from '../edge/rest/tenant/service-offering.ts'
import { tenantRoutes } from '../edge/rest/tenant/tenant.ts'
import { vmSnapshotRoutes } from '../edge/rest/vm/vm-snapshot.ts'
import { vmSshRoutes } from '../edge/rest/vm/vm-ssh.ts'
import { vmTemplateRoutes } from '../edge/rest/vm/vm-template.ts'
import { vmVerbRoutes } from '../edge/rest/vm/vm-verb.ts'
import { vmVolumeRoutes } from '../edge/rest/vm/vm-volume.ts'
import { vmRoutes } from '../edge/rest/vm/vm.ts'
import { volumeSnapshotRoutes } from '../edge/rest/volume/volume-snapshot.ts'
import { volumeRoutes } from '../edge/rest/volume/volume.ts'
import { networkSource, vpcSource } from '../reconcile/network/network-keys.ts'
import { networkReconciler } from '../reconcile/network/network.ts'
import { securityGroupReconciler } from '../reconcile/security-group/security-group.ts'
import {
  snapshotScheduleReconciler,
  snapshotScheduleSource,
} from '../reconcile/snapshot-schedule/snapshot-schedule.ts'
import { tenantSource } from '../reconcile/tenant/tenant-keys.ts'
import { tenantReconciler } from '../reconcile/tenant/tenant.ts'
import { vmGuardSource } from '../reconcile/vm-guard/vm-guard-keys.ts'
import { vmGuardReconciler } from '../reconcile/vm-guard/vm-guard.ts'
import { vmSnapshotReconciler } from '../reconcile/vm-snapshot/vm-snapshot.ts'
import { vmSshSource } from '../reconcile/vm-ssh/vm-ssh-keys.ts'
import { vmSshReconciler } from '../reconcile/vm-ssh/vm-ssh.ts'
import { templateSource } from '../reconcile/vm-template/vm-template-keys.ts'
import { vmTemplateReconciler } from '../reconcile/vm-template/vm-template.ts'
import { vmSource } from '../reconcile/vm/vm-keys.ts'
import { vmReconciler } from '../reconcile/vm/vm.ts'
import { volumeSnapshotReconciler } from '../reconcile/volume-snapshot/volume-snapshot.ts'
import {
  vmSnapshotSource,
  volumeSnapshotSource,
  volumeSource,
} from '../reconcile/volume/volume-keys.ts'
import { volumeReconciler } from '../reconcile/volume/volume.ts'
import { vpcReconciler } from '../reconcile/vpc/vpc.ts'

interface SourceParts {
  keys: KeyReaders
  quotaDefaults: QuotaLimits
}

/**
 * What each noun brings to the interfaces and to the workers: GraphQL resolvers, rows of the REST
 * interface (in the order of its description), reconcilers, and the sources of their keys. A new
 * noun is one entry here, one in `store/nouns.ts` and one in `domain/nouns.ts`.
 */
const nouns = [
  {
    resolvers: [ViewerResolver],
    routes: authRoutes,
  },
  {
    resolvers: [TenantResolver, TenantQuotaResolver],
    routes: tenantRoutes,
    reconcilers: [tenantReconciler],
    sources: ({ keys, quotaDefaults }: SourceParts) => [tenantSource(keys.tenant, quotaDefaults)],
  },
  {
    resolvers: [UserResolver],
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
    resolvers: [VpcResolver, VpcChangesResolver],
    routes: vpcRoutes,
    reconcilers: [vpcReconciler],
    sources: ({ keys }: SourceParts) => [vpcSource(keys.vpc)],
  },
  {
    resolvers: [
      NetworkResolver,
      NetworkChangesResolver,
      NetworkAddressResolver,
      PublicNetworkResolver,
    ],
    routes: networkRoutes,
    reconcilers: [networkReconciler],
    sources: ({ keys }: SourceParts) => [networkSource(keys.network)],
  },
  {
    resolvers: [SecurityGroupResolver],
    routes: securityGroupRoutes,
    reconcilers: [securityGroupReconciler, vmGuardReconciler],
    sources: ({ keys }: SourceParts) => [vmGuardSource(keys.vm_guard)],
  },
  {
    resolvers: [
      VolumeResolver,
      VolumeChangesResolver,
      VolumeDeletionImpactResolver,
      StorageClassResolver,
    ],
    routes: volumeRoutes,
    reconcilers: [volumeReconciler],
    sources: ({ keys }: SourceParts) => [volumeSource(keys.volume)],
  },
  {
    resolvers: [VolumeSnapshotResolver, VolumeSnapshotChangesResolver],
    routes: volumeSnapshotRoutes,
    reconcilers: [volumeSnapshotReconciler],
    sources: ({ keys }: SourceParts) => [volumeSnapshotSource(keys.volume_snapshot)],
  },
  {
    resolvers: [ServiceOfferingResolver],
    routes: serviceOfferingRoutes,
  },
  {
    resolvers: [VmTemplateResolver, VmTemplateChangesResolver],
    routes: vmTemplateRoutes,
    reconcilers: [vmTemplateReconciler],
    sources: ({ keys }: SourceParts) => [templateSource(keys.vm_template)],
  },
  {
    resolvers: [
      VmResolver,
      VmChangesResolver,
      VmConsoleResolver,
      VmEventResolver,
      VmIsoResolver,
      VmLogResolver,
      VmSecurityResolver,
      VmVolumesResolver,
    ],
    routes: [...vmRoutes, ...vmVerbRoutes, ...vmVolumeRoutes],
    reconcilers: [vmReconciler],
    sources: ({ keys }: SourceParts) => [vmSource(keys.vm)],
  },
  {
    resolvers: [VmSshResolver],
    routes: vmSshRoutes,
    reconcilers: [vmSshReconciler],
    sources: ({ keys }: SourceParts) => [vmSshSource(keys.vm_ssh)],
  },
  {
    resolvers: [VmSnapshotResolver, VmSnapshotChangesResolver],
    routes: vmSnapshotRoutes,
    reconcilers: [vmSnapshotReconciler],
    sources: ({ keys }: SourceParts) => [vmSnapshotSource(keys.vm_snapshot)],
  },
  {
    resolvers: [NicResolver, VmNicResolver],
  },
  {
    resolvers: [SnapshotScheduleResolver, SnapshotScheduleChangesResolver],
    reconcilers: [snapshotScheduleReconciler],
    sources: ({ keys }: SourceParts) => [snapshotScheduleSource(keys.snapshot_schedule)],
  },
  {
    resolvers: [SshKeyResolver],
    routes: sshKeyRoutes,
  },
  {
    resolvers: [OverviewResolver, PlatformResolver, ClusterCapacityResolver],
    routes: overviewRoutes,
  },
  {
    resolvers: [OperationResolver],
    routes: operationRoutes,
  },
  {
    resolvers: [ChangeResolver, EventsTicketResolver],
    routes: eventRoutes,
  },
  {
    resolvers: [AuditEventResolver],
  },
] as const

type Part<Name extends string> = Extract<(typeof nouns)[number], Readonly<Record<Name, unknown>>>

export const resolvers = nouns.flatMap((noun) => [...noun.resolvers])

/** All of /api/v1. A row runs a document on the schema, so the guards of the resolvers hold. */
export const restRoutes: readonly RestRoute[] = nouns.flatMap((noun) =>
  'routes' in noun ? [...noun.routes] : [],
)

export const reconcilers = nouns.flatMap((noun) =>
  'reconcilers' in noun ? [...noun.reconcilers] : [],
)

type EachParts = Parameters<Part<'reconcilers'>['reconcilers'][number]>[0]

/** What the reconcilers together are made of; each takes what it needs. */
export type ReconcilerParts = (
  EachParts extends infer Parts ? (Parts extends unknown ? (parts: Parts) => void : never) : never
) extends (all: infer All) => void
  ? All
  : never

/** Where the keys of the reconcilers come from. */
export const sourcesOn = (parts: SourceParts): Source[] =>
  nouns.flatMap((noun) => ('sources' in noun ? noun.sources(parts) : []))
