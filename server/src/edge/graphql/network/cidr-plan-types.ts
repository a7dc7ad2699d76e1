import { Field, Float, Int, ObjectType } from 'type-graphql'
import {
  type CidrPlan as Plan,
  type MapBlock,
  type Suggestion,
} from '../../../domain/network/plan.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Message } from '../../../engine/model/message.ts'

const blockStates = ['free', 'used', 'reserved'] as const
const CidrBlockState = enumOf('CidrBlockState', blockStates, {
  description: 'Tells if a CIDR block can be chosen.',
  values: {
    free: 'No network, VPC or reservation overlaps the block.',
    used: 'A network or a VPC uses the block.',
    reserved: 'The platform needs the block, for example for its nodes or the public network.',
  },
})

@ObjectType({ simpleResolvers: true, description: 'A CIDR block that could be chosen.' })
export class CidrSuggestion implements Suggestion {
  @Field(() => String, { description: 'The block in CIDR notation.' })
  cidr!: string
  @Field(() => Boolean, { description: 'True when no other block overlaps this one.' })
  available!: boolean
  @Field(() => String, { nullable: true, description: 'Why the block is not available.' })
  reason!: Message | null
  @Field(() => String, { nullable: true, description: 'The CIDR that overlaps this block.' })
  conflictsWith!: string | null
  @Field(() => Float, { description: 'The number of addresses in the block.' })
  addresses!: number
  @Field(() => String, {
    nullable: true,
    description: 'The largest free block that contains this one.',
  })
  roomToGrow!: string | null
}

@ObjectType({ simpleResolvers: true, description: 'A block of an address space, and its use.' })
export class CidrBlock implements MapBlock {
  @Field(() => String, { description: 'The block in CIDR notation.' })
  cidr!: string
  @Field(() => CidrBlockState, {
    description:
      'Tells if the block is free, used by a network or VPC, or reserved by the platform.',
  })
  state!: (typeof blockStates)[number]
  @Field(() => String, {
    nullable: true,
    description: 'The name of the network or VPC that uses the block.',
  })
  name!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Why the block is not free; null when it is free.',
  })
  reason!: Message | null
}

@ObjectType({
  simpleResolvers: true,
  description:
    'CIDR blocks that a new network or VPC could use. An available block is accepted unless another request takes it first.',
})
export class CidrPlan implements Plan {
  @Field(() => Int, { description: 'The prefix length of the suggested blocks.' })
  prefix!: number
  @Field(() => String, {
    nullable: true,
    description: 'The block that is used when the request has no CIDR; null when there is no room.',
  })
  auto!: string | null
  @Field(() => [CidrSuggestion], {
    description: 'Blocks of this length, and whether each can be chosen.',
  })
  suggestions!: Suggestion[]
  @Field(() => [String], { description: 'CIDR blocks of the existing networks or VPCs.' })
  used!: string[]
  @Field(() => [CidrBlock], {
    description: 'The whole address space in order of addresses; at most 512 blocks.',
  })
  map!: MapBlock[]
}

@ObjectType({
  simpleResolvers: true,
  description: 'CIDR blocks that a new network of a VPC could use.',
})
export class NetworkCidrPlan extends CidrPlan {
  @Field(() => String, { description: 'The CIDR of the VPC.' })
  vpcCidr!: string
}
