import { Field, ID, InputType, Int } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { type NetState } from '../../../domain/vpc/vpc.ts'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { NetworkStateEnum } from '../network/network-state.ts'

@InputType()
export class VpcFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name or of the CIDR.',
  })
  search?: string | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
  @Field(() => [NetworkStateEnum], {
    nullable: true,
    description: 'Only VPCs in one of these states.',
  })
  states?: NetState[] | null
}

@InputType()
export class VpcOrder extends orderOf('VpcSort', ['createdAt', 'name']) {}

@InputType()
export class CreateVpcInput {
  @Field(() => String) name!: string
  @Field(() => String, {
    nullable: true,
    description: 'A private block with a prefix length of 8 to 24. Without it, Berth chooses one.',
  })
  cidr?: string | null
  @Field(() => Int, {
    nullable: true,
    description: 'The prefix length when Berth chooses the block: 8 to 24, 16 by default.',
  })
  prefix?: number | null
}

@InputType()
export class UpdateVpcInput {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class DeleteVpcInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Deletes the networks in the VPC too. Otherwise the request is refused while there are any.',
  })
  withNetworks?: boolean | null
}
