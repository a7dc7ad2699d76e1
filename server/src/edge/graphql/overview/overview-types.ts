import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type Health, type TenantCounts, healths } from '../../../domain/dashboard/dashboard.ts'
import {
  type Notification as NotificationView,
  type NotificationLevel,
  notificationLevels,
} from '../../../domain/notification/notification.ts'
import { type SearchResult, type FoundKind, foundKinds } from '../../../domain/search/search.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { Vm } from '../vm/vm-types.ts'
import { type Message } from '../../../engine/model/message.ts'

const HealthEnum = enumOf('Health', healths, {
  description: 'The health of the VMs of a tenant. The worst VM determines it.',
  values: {
    ok: 'No VM has a problem, and no VM is starting or stopping.',
    warning: 'A VM is starting or stopping.',
    critical: 'A VM has a problem: its state is `Error`, `Unknown`, `Lost` or `Failed`.',
  },
})
const FoundKindEnum = enumOf('FoundKind', foundKinds, {
  description: 'The kind of an object that a search finds.',
  values: {
    network: 'The object is a network.',
    security_group: 'The object is a security group.',
    vm: 'The object is a VM.',
    volume: 'The object is a volume.',
    vpc: 'The object is a VPC.',
  },
})
const LevelEnum = enumOf('NotificationLevel', notificationLevels, {
  description: 'How urgent a notification is.',
  values: {
    error: 'The VM has a problem: its state is `Error`, `Unknown`, `Lost` or `Failed`.',
    warning: 'The VM is starting or stopping.',
  },
})

@ObjectType({ simpleResolvers: true, description: 'Counts of the objects of a tenant.' })
export class Dashboard implements TenantCounts {
  @Field(() => Int, { description: 'All VMs of the tenant.' })
  vms!: number
  @Field(() => Int, { description: 'VMs that run.' })
  vmsRunning!: number
  @Field(() => Int, { description: 'VMs that have failed.' })
  vmsFailed!: number
  @Field(() => Int, { description: 'VMs that are starting or stopping.' }) vmsChanging!: number
  @Field(() => Int, { description: 'All VPCs of the tenant.' })
  vpcs!: number
  @Field(() => Int, { description: 'All networks of the tenant.' })
  networks!: number
  @Field(() => Int, { description: 'All volumes of the tenant.' })
  volumes!: number
  @Field(() => Int, { description: 'All security groups of the tenant.' })
  securityGroups!: number
  @Field(() => HealthEnum, { description: 'The worst state of the VMs.' })
  health!: Health
  @Field(() => [Vm], {
    description: 'The VMs that changed last; empty when the caller may not read VMs.',
  })
  recentVms!: Vm[]
}

@ObjectType({
  simpleResolvers: true,
  description: 'An object of the tenant that matches a search.',
})
export class SearchHit implements SearchResult {
  @Field(() => FoundKindEnum, { description: 'The kind of the object.' })
  kind!: FoundKind
  @Field(() => ID, { description: 'The id of the object.' }) id!: string
  @Field(() => String, { description: 'The name of the object.' }) name!: string
  @Field(() => String, {
    nullable: true,
    description: 'A detail that distinguishes the object, such as its addresses.',
  })
  detail!: string | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'A state that may need the attention of the tenant.',
})
export class Notification implements NotificationView {
  @Field(() => ID, { description: 'Stays the same while the state lasts.' }) id!: string
  @Field(() => LevelEnum, {
    description:
      '`error` for a VM that has failed, `warning` for one that is starting or stopping.',
  })
  level!: NotificationLevel
  @Field(() => String, { description: 'The notification in a few words.' })
  title!: Message
  @Field(() => String, { description: 'The notification as a sentence.' })
  message!: Message
  @Field(() => String, { description: 'The name of the VM.' })
  vmName!: string
  @Field(() => DateTime, { description: 'When the state began.' })
  since!: string
}
