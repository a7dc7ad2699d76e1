import { Field, ID, InputType, Int } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { type NetState } from '../../../domain/vpc/vpc.ts'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { NetworkStateEnum } from './network-state.ts'

@InputType()
export class NetworkFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name or of the CIDR.',
  })
  search?: string | null
  @Field(() => ID, { nullable: true, description: 'Only networks of this VPC.' })
  vpcId?: string | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
  @Field(() => [NetworkStateEnum], {
    nullable: true,
    description: 'Only networks in one of these states.',
  })
  states?: NetState[] | null
}

@InputType()
export class NetworkOrder extends orderOf('NetworkSort', ['createdAt', 'name']) {}

@InputType()
export class CreateNetworkInput {
  @Field(() => String) name!: string
  @Field(() => ID, { description: 'The VPC of the network.' })
  vpcId!: string
  @Field(() => String, {
    nullable: true,
    description: 'A block of the VPC, /29 or larger. Without it, Berth chooses one.',
  })
  cidr?: string | null
  @Field(() => Int, {
    nullable: true,
    description: 'The prefix length when Berth chooses the block; at most 28, 24 by default.',
  })
  prefix?: number | null
}

@InputType()
export class UpdateNetworkInput {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class DeleteNetworkInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}
