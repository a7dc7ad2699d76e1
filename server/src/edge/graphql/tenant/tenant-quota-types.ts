import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql'
import {
  type QuotaLimits,
  type QuotaLine,
  type QuotaResource,
  quotaDescriptions,
  quotaMeanings,
  quotaResources,
} from '../../../domain/tenant/quota.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Tenant } from './tenant-types.ts'

const QuotaResourceEnum = enumOf('QuotaResource', quotaResources, {
  description: 'A resource that the quota of a tenant limits.',
  values: quotaMeanings,
})

@ObjectType({
  simpleResolvers: true,
  description: 'The limit of a resource, and how much of it the tenant uses.',
})
export class QuotaUsage implements QuotaLine {
  @Field(() => QuotaResourceEnum, { description: 'The limited resource.' })
  resource!: QuotaResource
  @Field(() => Int, { nullable: true, description: 'The limit; null when there is none.' }) limit!:
    number | null
  @Field(() => Float, {
    description: 'Includes stopped VMs, and objects that are being deleted.',
  })
  used!: number
}

@InputType()
export class UpdateTenantQuotaInput {
  @Field(() => ID, { description: 'The id of the tenant.' }) id!: string
  @Field(() => Int, {
    nullable: true,
    description: 'Refuses the request when the current version of the tenant is not this one.',
  })
  ifVersion?: number | null
}
for (const [resource, { description }] of Object.entries(quotaDescriptions))
  Field(() => Int, { nullable: true, description })(UpdateTenantQuotaInput.prototype, resource)

/** The input with the fields that the loop above adds. */
export type TenantQuotaChange = UpdateTenantQuotaInput & Partial<QuotaLimits>

@ObjectType({ simpleResolvers: true })
export class UpdateTenantQuotaPayload {
  @Field(() => Tenant) tenant!: Tenant
}
