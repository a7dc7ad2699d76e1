import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Direction, DirectionEnum } from '../../../engine/graphql/order.ts'

@InputType()
export class NetworkFilter {
  @Field(() => String, { nullable: true, description: 'Part of the name or of the addresses.' })
  search?: string | null
  @Field(() => ID, { nullable: true }) vpcId?: string | null
}

const sorts = ['createdAt', 'name'] as const
const NetworkSort = enumOf(sorts)
registerEnumType(NetworkSort, { name: 'NetworkSort' })

@InputType()
export class NetworkOrder {
  @Field(() => NetworkSort) by!: (typeof sorts)[number]
  @Field(() => DirectionEnum, { defaultValue: 'asc' }) direction!: Direction
}

@InputType()
export class CreateNetworkInput {
  @Field(() => String) name!: string
  @Field(() => ID) vpcId!: string
  @Field(() => String, {
    nullable: true,
    description: 'Addresses of the VPC, a /29 or more; the plan chooses where none are named.',
  })
  cidr?: string | null
  @Field(() => Int, {
    nullable: true,
    description: 'How large, where the plan chooses: up to 28, and 24 unless said otherwise.',
  })
  prefix?: number | null
}

@InputType()
export class UpdateNetworkInput {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => Int, {
    nullable: true,
    description: 'Refuse when the version is no longer this one.',
  })
  ifVersion?: number | null
}

@InputType()
export class DeleteNetworkInput {
  @Field(() => ID) id!: string
}
