import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Direction, DirectionEnum } from '../../../engine/graphql/order.ts'

@InputType()
export class VpcFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name or of the CIDR.',
  })
  search?: string | null
}

const sorts = ['createdAt', 'name'] as const
const VpcSort = enumOf(sorts)
registerEnumType(VpcSort, { name: 'VpcSort' })

@InputType()
export class VpcOrder {
  @Field(() => VpcSort) by!: (typeof sorts)[number]
  @Field(() => DirectionEnum, { defaultValue: 'asc' }) direction!: Direction
}

@InputType()
export class CreateVpcInput {
  @Field(() => String) name!: string
  @Field(() => String, {
    nullable: true,
    description: 'A private block, /24 or larger. Without it, Berth chooses one.',
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
  @Field(() => Int, {
    nullable: true,
    description: 'Refuse the request when the current version is not this one.',
  })
  ifVersion?: number | null
}

@InputType()
export class DeleteVpcInput {
  @Field(() => ID) id!: string
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Deletes the networks in the VPC too. Otherwise the request is refused while there are any.',
  })
  withNetworks?: boolean | null
}
