import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type TenantState, type TenantView, tenantStates } from '../../../domain/tenant/tenant.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { User } from '../identity/user-types.ts'
import { type Message } from '../../../engine/model/message.ts'

export const TenantStateEnum = enumOf('TenantState', tenantStates, {
  description: 'The state of a tenant.',
  values: {
    creating: 'The tenant is being created in the cluster.',
    active: 'The tenant is ready for use.',
    deleting: 'The tenant is being deleted, with everything in it.',
    failed: 'The tenant takes no new VMs, disks or networks. `stateReason` has the cause.',
  },
})

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description: 'An isolated customer with its own users, quota and namespace.',
})
export class Tenant implements TenantView {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: 'The unique name of the tenant. It never changes.' })
  slug!: string
  @Field(() => String, { description: 'The namespace of the tenant in the cluster.' })
  namespace!: string
  @Field(() => String, { description: 'Free text; empty without one.' })
  description!: string
  @Field(() => TenantStateEnum, { description: 'The state as last observed in the cluster.' })
  state!: TenantState
  @Field(() => String, { nullable: true, description: 'Why the tenant is in this state.' })
  stateReason!: Message | null
  @Field(() => String, {
    nullable: true,
    description: 'The id in the system from which the tenant was imported.',
  })
  externalUuid!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The system from which the tenant was imported.',
  })
  importSource!: string | null
  @Field(() => Boolean, {
    description:
      'True when each user of the tenant with a password needs a second factor. A user without one can only set it up.',
  })
  requiresSecondFactor!: boolean
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now; null when it is allowed.',
})
export class TenantRefusals {
  @Field(() => String, { nullable: true, description: 'Why the tenant cannot be deleted.' })
  delete!: Message | null
  @Field(() => String, { nullable: true, description: 'Why the tenant cannot be changed.' })
  update!: Message | null
}

@ObjectType({ simpleResolvers: true })
export class TenantConnection extends connectionOf<TenantView>(Tenant, 'Tenant') {}

@ObjectType({ simpleResolvers: true })
export class CreateTenantPayload {
  @Field(() => Tenant) tenant!: Tenant
  @Field(() => User, { description: 'The first user, who is the admin of the tenant.' })
  adminUser!: User
  @Field(() => Operation) operation!: Operation
}

@ObjectType({ simpleResolvers: true })
export class UpdateTenantPayload {
  @Field(() => Tenant) tenant!: Tenant
  @Field(() => Operation, { nullable: true }) operation!: Operation | null
}

@ObjectType({ simpleResolvers: true })
export class DeleteTenantPayload {
  @Field(() => Tenant) tenant!: Tenant
  @Field(() => Operation) operation!: Operation
}
