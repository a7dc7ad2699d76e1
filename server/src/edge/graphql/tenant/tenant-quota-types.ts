import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import {
  type QuotaLimits,
  type QuotaLine,
  type QuotaResource,
  aboutQuota,
  quotaResources,
} from '../../../domain/tenant/quota.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Tenant } from './tenant-types.ts'

const QuotaResourceEnum = enumOf(quotaResources)
registerEnumType(QuotaResourceEnum, { name: 'QuotaResource' })

@ObjectType({
  simpleResolvers: true,
  description: 'How much of something a tenant may have, and has.',
})
export class QuotaUsage implements QuotaLine {
  @Field(() => QuotaResourceEnum) resource!: QuotaResource
  @Field(() => Int, { nullable: true, description: 'Null is no limit.' }) limit!: number | null
  @Field(() => Float, {
    description: 'With what is stopped, and with what is being deleted until it is gone.',
  })
  used!: number
}

@InputType()
export class UpdateTenantQuotaInput {
  @Field(() => ID, { description: 'Of the tenant.' }) id!: string
  @Field(() => Int, {
    nullable: true,
    description: 'Refuse when the version of the tenant is no longer this one.',
  })
  ifVersion?: number | null
}
for (const [resource, { about }] of Object.entries(aboutQuota))
  Field(() => Int, { nullable: true, ...(about !== undefined && { description: about }) })(
    UpdateTenantQuotaInput.prototype,
    resource,
  )

/** With the fields that the loop gives it. */
export type TenantQuotaChange = UpdateTenantQuotaInput & Partial<QuotaLimits>

@ObjectType({ simpleResolvers: true })
export class UpdateTenantQuotaPayload {
  @Field(() => Tenant) tenant!: Tenant
}
