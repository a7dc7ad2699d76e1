import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Direction, DirectionEnum } from '../../../engine/graphql/order.ts'

@InputType()
export class VpcFilter {
  @Field(() => String, { nullable: true, description: 'Part of the name or of the addresses.' })
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
    description: 'Private addresses, a /24 or more; the plan chooses where none are named.',
  })
  cidr?: string | null
  @Field(() => Int, {
    nullable: true,
    description: 'How large, where the plan chooses: 8 to 24, and 16 unless said otherwise.',
  })
  prefix?: number | null
}

@InputType()
export class UpdateVpcInput {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => Int, {
    nullable: true,
    description: 'Refuse when the version is no longer this one.',
  })
  ifVersion?: number | null
}

@InputType()
export class DeleteVpcInput {
  @Field(() => ID) id!: string
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Also the networks that were made in it; otherwise it is refused while there are any.',
  })
  withNetworks?: boolean | null
}
