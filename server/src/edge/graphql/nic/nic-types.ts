import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type NetworkDriver } from '../../../domain/network/driver.ts'
import {
  type GuestConfiguration,
  type NicKind,
  type NicState,
  type NicView,
  guestConfigurations,
  nicKinds,
  nicStates,
} from '../../../domain/nic/nic.ts'
import { type NicWait, nicWaits } from '../../../domain/nic/wait-reasons.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Message } from '../../../engine/model/message.ts'

const NicKindEnum = enumOf('NicKind', nicKinds, {
  description: 'The cluster network, a private network of the tenant, or the public network.',
})
export const NicWaitReasonEnum = enumOf('NicWait', nicWaits, {
  description:
    'Why a NIC change waits for the next start. `clearing`: the guest has released the NIC, and the rest is removed by a migration or the next stop.',
})
const GuestConfigurationEnum = enumOf('NicGuestConfiguration', guestConfigurations, {
  description:
    'Tells if the guest has the assigned address of a NIC. Unknown while no guest agent reports the NIC.',
})
const NicStateEnum = enumOf('NicState', nicStates, {
  description:
    'Connected: the running guest has the NIC. Arriving, departing: it is being attached to or detached from the running guest. Waiting: it is attached with the next start. Leaving: it is detached with the next stop.',
})

@ObjectType({
  simpleResolvers: true,
  description:
    'A NIC of a VM. Its MAC address never changes, nor does its address in a private network.',
})
export class Nic implements NicView {
  @Field(() => ID, { description: 'The id of the NIC. It never changes.' }) id!: string
  @Field(() => ID) vmId!: string
  @Field(() => Int) ordinal!: number
  @Field(() => String, { description: 'The name of the NIC in its VM.' }) name!: string
  @Field(() => NicKindEnum, { description: 'The kind of network to which the NIC is attached.' })
  kind!: NicKind
  @Field(() => NicStateEnum) state!: NicState
  @Field(() => NicWaitReasonEnum, {
    nullable: true,
    description:
      'Why the guest does not have the NIC yet, or still has it; null when neither is true.',
  })
  waitsFor!: NicWait | null
  @Field(() => String, { nullable: true, description: 'The reason as a sentence.' })
  stateReason!: Message | null
  @Field(() => String, { description: 'The MAC address.' })
  mac!: string
  @Field(() => String, {
    nullable: true,
    description: 'The assigned address. Null on the cluster network, which assigns its own.',
  })
  address!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The address that the guest agent or KubeVirt reports while the VM runs.',
  })
  seenAddress!: string | null
  @Field(() => GuestConfigurationEnum, {
    nullable: true,
    description:
      'A NIC that is attached while the VM runs has no address in the guest until a user sets it there, or the next start. Null without an assigned address, and while the guest does not have the NIC.',
  })
  configuredInGuest!: GuestConfiguration | null
  @Field(() => Boolean, {
    description: 'True for the NIC with the default route of the guest.',
  })
  isPrimary!: boolean
  @Field(() => ID, {
    nullable: true,
    description: 'The id of the network. Null on the cluster network.',
  })
  networkId!: string | null
  @Field(() => String, { nullable: true }) networkName!: string | null
  @Field(() => ID, { nullable: true, description: 'The VPC of its network.' }) vpcId!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The driver of its network; null on the public network and the cluster network.',
  })
  driver!: NetworkDriver | null
  @Field(() => String, {
    nullable: true,
    description: 'The CIDR of its network; null on the public network and the cluster network.',
  })
  cidr!: string | null
  @Field(() => String, { nullable: true }) gateway!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The namespace of the NetworkAttachmentDefinition of its network.',
  })
  attachmentNamespace!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the NetworkAttachmentDefinition of its network.',
  })
  attachmentName!: string | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now; null when it is allowed.',
})
export class NicRefusals {
  @Field(() => String, {
    nullable: true,
    description:
      'Why the NIC cannot be detached. `Vm.actions` says if the state of the VM allows it.',
  })
  detach!: Message | null
}
