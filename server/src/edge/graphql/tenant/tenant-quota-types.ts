import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import { type QuotaLine, type QuotaResource, quotaResources } from '../../../domain/tenant/quota.ts'
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
    description: 'Here and below: null is no limit, and what is not named stays.',
  })
  vms?: number | null
  @Field(() => Int, { nullable: true }) vcpus?: number | null
  @Field(() => Int, { nullable: true }) memoryMi?: number | null
  @Field(() => Int, { nullable: true }) storageGi?: number | null
  @Field(() => Int, { nullable: true }) volumes?: number | null
  @Field(() => Int, { nullable: true, description: 'Of volumes and of VMs together.' }) snapshots?:
    number | null
  @Field(() => Int, { nullable: true }) vpcs?: number | null
  @Field(() => Int, { nullable: true }) networks?: number | null
  @Field(() => Int, { nullable: true, description: 'Of the public network.' }) publicAddresses?:
    number | null
  @Field(() => Int, {
    nullable: true,
    description: 'Refuse when the version of the tenant is no longer this one.',
  })
  ifVersion?: number | null
}

@ObjectType({ simpleResolvers: true })
export class UpdateTenantQuotaPayload {
  @Field(() => Tenant) tenant!: Tenant
}
