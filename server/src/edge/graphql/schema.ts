import 'reflect-metadata'
import { type GraphQLSchema } from 'graphql'
import { buildSchemaSync } from 'type-graphql'
import { ApiKeyResolver } from './api-key.ts'
import { AuditEventResolver } from './audit-event.ts'
import { ChangeResolver } from './change.ts'
import { ClusterCapacityResolver } from './cluster-capacity.ts'
import { EventsTicketResolver } from './events-ticket.ts'
import { guardSchema } from './guard.ts'
import { NetworkResolver } from './network.ts'
import { NetworkAddressResolver } from './network-address.ts'
import { NicResolver, VmNicResolver } from './nic.ts'
import { OperationResolver } from './operation.ts'
import { OverviewResolver } from './overview.ts'
import { PlatformResolver } from './platform.ts'
import { PublicNetworkResolver } from './public-network.ts'
import { RoleResolver } from './role.ts'
import { SecurityGroupResolver } from './security-group.ts'
import { ServiceOfferingResolver } from './service-offering.ts'
import { SnapshotScheduleResolver } from './snapshot-schedule.ts'
import { SshKeyResolver } from './ssh-key.ts'
import { StorageClassResolver } from './storage-class.ts'
import { TenantResolver } from './tenant.ts'
import { TenantQuotaResolver } from './tenant-quota.ts'
import { UserResolver } from './user.ts'
import { ViewerResolver } from './viewer.ts'
import { VmResolver } from './vm.ts'
import { VmConsoleResolver } from './vm-console.ts'
import { VmEventResolver } from './vm-event.ts'
import { VmIsoResolver } from './vm-iso.ts'
import { VmLogResolver } from './vm-log.ts'
import { VmSecurityResolver } from './vm-security.ts'
import { VmSshResolver } from './vm-ssh.ts'
import { VmSnapshotResolver } from './vm-snapshot.ts'
import { VmTemplateResolver } from './vm-template.ts'
import { VmVolumesResolver } from './vm-volumes.ts'
import { VolumeDeletionImpactResolver } from './volume-deletion-impact.ts'
import { VolumeSnapshotResolver } from './volume-snapshot.ts'
import { VolumeResolver } from './volume.ts'
import { VpcResolver } from './vpc.ts'

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
