import 'reflect-metadata'
import { type GraphQLSchema } from 'graphql'
import { buildSchemaSync } from 'type-graphql'
import { ApiKeyResolver } from './identity/api-key.ts'
import { AuditEventResolver } from './identity/audit-event.ts'
import { ChangeResolver } from './change/change.ts'
import { ClusterCapacityResolver } from './cluster-capacity/cluster-capacity.ts'
import { EventsTicketResolver } from './change/events-ticket.ts'
import { guardSchema } from './guard.ts'
import { NetworkResolver } from './network/network.ts'
import { NetworkAddressResolver } from './network/network-address.ts'
import { NicResolver, VmNicResolver } from './nic/nic.ts'
import { OperationResolver } from './operation/operation.ts'
import { OverviewResolver } from './overview/overview.ts'
import { PlatformResolver } from './platform.ts'
import { PublicNetworkResolver } from './network/public-network.ts'
import { RoleResolver } from './identity/role.ts'
import { SecurityGroupResolver } from './security-group/security-group.ts'
import { ServiceOfferingResolver } from './service-offering/service-offering.ts'
import { SnapshotScheduleResolver } from './snapshot-schedule/snapshot-schedule.ts'
import { SshKeyResolver } from './ssh-key/ssh-key.ts'
import { StorageClassResolver } from './volume/storage-class.ts'
import { TenantResolver } from './tenant/tenant.ts'
import { TenantQuotaResolver } from './tenant/tenant-quota.ts'
import { UserResolver } from './identity/user.ts'
import { ViewerResolver } from './identity/viewer.ts'
import { VmResolver } from './vm/vm.ts'
import { VmConsoleResolver } from './vm/vm-console.ts'
import { VmEventResolver } from './vm/vm-event.ts'
import { VmIsoResolver } from './vm/vm-iso.ts'
import { VmLogResolver } from './vm/vm-log.ts'
import { VmSecurityResolver } from './vm/vm-security.ts'
import { VmSshResolver } from './vm-ssh/vm-ssh.ts'
import { VmSnapshotResolver } from './vm-snapshot/vm-snapshot.ts'
import { VmTemplateResolver } from './vm-template/vm-template.ts'
import { VmVolumesResolver } from './vm/vm-volumes.ts'
import { VolumeDeletionImpactResolver } from './volume/volume-deletion-impact.ts'
import { VolumeSnapshotResolver } from './volume-snapshot/volume-snapshot.ts'
import { VolumeResolver } from './volume/volume.ts'
import { VpcResolver } from './vpc/vpc.ts'

const resolvers = [
  ApiKeyResolver,
  AuditEventResolver,
  ChangeResolver,
  ClusterCapacityResolver,
  EventsTicketResolver,
  NetworkAddressResolver,
  NetworkResolver,
  NicResolver,
  OperationResolver,
  OverviewResolver,
  PlatformResolver,
  PublicNetworkResolver,
  RoleResolver,
  SecurityGroupResolver,
  ServiceOfferingResolver,
  SnapshotScheduleResolver,
  SshKeyResolver,
  StorageClassResolver,
  TenantResolver,
  TenantQuotaResolver,
  UserResolver,
  ViewerResolver,
  VmConsoleResolver,
  VmEventResolver,
  VmIsoResolver,
  VmLogResolver,
  VmNicResolver,
  VmResolver,
  VmSecurityResolver,
  VmSshResolver,
  VmSnapshotResolver,
  VmTemplateResolver,
  VmVolumesResolver,
  VolumeDeletionImpactResolver,
  VolumeResolver,
  VolumeSnapshotResolver,
  VpcResolver,
] as const

/**
 * The contract, guarded. Validation is the domain's, so type-graphql's own stays off; so do its
 * middlewares, which run per field.
 */
export function buildBerthSchema(): GraphQLSchema {
  return guardSchema(
    buildSchemaSync({
      resolvers: [...resolvers],
      validate: false,
      emitSchemaFile: false,
      pubSub: unused,
    }),
  )
}

// type-graphql wants one where there are subscriptions; ours bring their own source, which is the
// change log.
const unused = { publish: () => undefined, subscribe: () => unheard }
const unheard = {
  [Symbol.asyncIterator]: () => ({
    next: () => Promise.resolve({ done: true as const, value: undefined }),
  }),
}
