import { Field, Float, Int, ObjectType, registerEnumType } from 'type-graphql'
import {
  type CidrPlan as Plan,
  type MapBlock,
  type Suggestion,
} from '../../../domain/network/plan.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Message } from '../../../engine/model/message.ts'

const blockStates = ['free', 'used', 'reserved'] as const
const CidrBlockState = enumOf(blockStates)
registerEnumType(CidrBlockState, { name: 'CidrBlockState' })

@ObjectType({ simpleResolvers: true })
export class CidrSuggestion implements Suggestion {
  @Field(() => String) cidr!: string
  @Field(() => Boolean) available!: boolean
  @Field(() => String, { nullable: true, description: 'Why it is not available.' })
  reason!: Message | null
  @Field(() => String, { nullable: true, description: 'The addresses that stand in the way.' })
  conflictsWith!: string | null
  @Field(() => Float) addresses!: number
  @Field(() => String, {
    nullable: true,
    description: 'The largest block around it that is free as well.',
  })
  roomToGrow!: string | null
}

@ObjectType({ simpleResolvers: true })
export class CidrBlock implements MapBlock {
  @Field(() => String) cidr!: string
  @Field(() => CidrBlockState) state!: (typeof blockStates)[number]
  @Field(() => String, { nullable: true, description: 'Of what has it.' }) name!: string | null
  @Field(() => String, { nullable: true, description: 'Who has it; null when it is free.' })
  reason!: Message | null
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Addresses that could be taken next: each available one is accepted as long as nobody else takes it.',
})
export class CidrPlan implements Plan {
  @Field(() => Int) prefix!: number
  @Field(() => String, {
    nullable: true,
    description: 'What is taken when none is named; null when there is no room.',
  })
  auto!: string | null
  @Field(() => [CidrSuggestion]) suggestions!: Suggestion[]
  @Field(() => [String], { description: 'What the networks, or the VPCs, that are there have.' })
  used!: string[]
  @Field(() => [CidrBlock], {
    description: 'The whole space in the order of its addresses; at most 512 blocks.',
  })
  map!: MapBlock[]
}

@ObjectType({ simpleResolvers: true })
export class NetworkCidrPlan extends CidrPlan {
  @Field(() => String) vpcCidr!: string
}
