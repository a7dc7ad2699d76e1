import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { type NetworkDriver } from '../../../domain/network/driver.ts'
import {
  type NicKind,
  type NicState,
  type NicView,
  nicKinds,
  nicStates,
} from '../../../domain/nic/nic.ts'
import { type NicWait, nicWaits } from '../../../domain/nic/cold.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Message } from '../../../engine/model/message.ts'

const NicKindEnum = enumOf(nicKinds)
registerEnumType(NicKindEnum, {
  name: 'NicKind',
  description: 'On the network of the platform, on one of the tenant’s own, or on the public one.',
})
export const NicWaitEnum = enumOf(nicWaits)
registerEnumType(NicWaitEnum, {
  name: 'NicWait',
  description:
    'What a NIC waits for a start for; clearing: its guest has let go of it, and what is left is cleared away with a move or with the end of the run.',
})
const NicStateEnum = enumOf(nicStates)
registerEnumType(NicStateEnum, {
  name: 'NicState',
  description:
    'Connected: the guest that runs has it. Arriving, departing: it is on its way into the guest that runs, or out of it. Waiting: it comes with the next start. Leaving: it goes with the end of this run.',
})

@ObjectType({
  simpleResolvers: true,
  description:
    'A NIC of a VM. Its MAC stays the same for life, and so does its address in a private network.',
})
export class Nic implements NicView {
  @Field(() => ID) id!: string
  @Field(() => ID) vmId!: string
  @Field(() => Int) ordinal!: number
  @Field(() => String, { description: 'As the VM calls it.' }) name!: string
  @Field(() => NicKindEnum) kind!: NicKind
  @Field(() => NicStateEnum) state!: NicState
  @Field(() => NicWaitEnum, {
    nullable: true,
    description:
      'Why it is not in the guest yet, or not gone from it; null where that is no question.',
  })
  waitsFor!: NicWait | null
  @Field(() => String, { nullable: true, description: 'The same in words.' })
  stateReason!: Message | null
  @Field(() => String) mac!: string
  @Field(() => String, {
    nullable: true,
    description: 'That was given to it; null on the network of the platform, which gives its own.',
  })
  address!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'As the guest or the platform says, while it runs.',
  })
  seenAddress!: string | null
  @Field(() => Boolean, {
    description: 'By this one the guest reaches what is in none of its networks.',
  })
  isPrimary!: boolean
  @Field(() => ID, { nullable: true, description: 'Null on the network of the platform.' })
  networkId!: string | null
  @Field(() => String, { nullable: true }) networkName!: string | null
  @Field(() => ID, { nullable: true, description: 'Of its network.' }) vpcId!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'How its network is made; null where that is not decided by the platform.',
  })
  driver!: NetworkDriver | null
  @Field(() => String, {
    nullable: true,
    description: 'Of its network; null on the public one and on that of the platform.',
  })
  cidr!: string | null
  @Field(() => String, { nullable: true }) gateway!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Where the attachment of its network is in the cluster.',
  })
  attachmentNamespace!: string | null
  @Field(() => String, { nullable: true }) attachmentName!: string | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now, in words; null when it is allowed.',
})
export class NicRefusals {
  @Field(() => String, {
    nullable: true,
    description: 'Whether the VM allows it now is told by its own actions.',
  })
  detach!: Message | null
}
