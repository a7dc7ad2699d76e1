import { Field, ID, InputType, Int } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { type TenantState } from '../../../domain/tenant/tenant.ts'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { TenantStateEnum } from './tenant-types.ts'

@InputType()
export class TenantFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name or of the slug.',
  })
  search?: string | null
  @Field(() => TenantStateEnum, { nullable: true, description: 'Only tenants in this state.' })
  state?: TenantState | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
}

@InputType()
export class TenantOrder extends orderOf('TenantSort', ['createdAt', 'name']) {}

@InputType()
export class CreateTenantInput {
  @Field(() => String) name!: string
  @Field(() => String, {
    description: 'Lower-case letters, digits and dashes. Other text is refused.',
  })
  slug!: string
  @Field(() => String, { nullable: true, description: 'Free text.' })
  description?: string | null
  @Field(() => String, { description: 'The password of the first user, `<slug>-admin`.' })
  adminPassword!: string
}

@InputType()
export class UpdateTenantInput {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true }) name?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'A text for users, which Berth only shows. An empty text removes it.',
  })
  description?: string | null
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class DeleteTenantInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}
