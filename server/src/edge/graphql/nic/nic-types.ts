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
  description: 'The kind of network to which a NIC is attached.',
  values: {
    pod: 'The NIC is on the cluster network, which assigns its address.',
    private: 'The NIC is in a network of the tenant.',
    public: 'The NIC is in the public network.',
  },
})
export const NicWaitReasonEnum = enumOf('NicWait', nicWaits, {
  description: 'Why a VM does not have a NIC yet, or still has it.',
  values: {
    unknown: 'The cluster had not reported yet what it supports while a VM runs.',
    platform: 'The platform does not support the change while a VM runs.',
    one_host: 'A running VM gets a NIC by migration, and the cluster has only one node.',
    disks: 'A running VM gets a NIC by migration, and a disk of the VM cannot be on two nodes.',
    host: 'A running VM gets a NIC by migration, and a part of the VM is bound to its node.',
    network: 'The network assigns addresses only when a VM starts.',
    not_running: 'The VM was not in the state `Running`.',
    not_in_time: 'The change did not succeed in time while the VM ran.',
    clearing: 'The guest has released the NIC. The next migration or stop removes it completely.',
  },
})
const GuestConfigurationEnum = enumOf('NicGuestConfiguration', guestConfigurations, {
  description: 'Tells if the guest has the assigned address of a NIC.',
  values: {
    yes: 'The guest agent reports the assigned address.',
    no: 'The guest agent reports the NIC without the address. Set it in the guest, or restart the VM.',
    unknown: 'No guest agent reports the NIC.',
  },
})
const NicStateEnum = enumOf('NicState', nicStates, {
  description: 'Tells if the guest has a NIC.',
  values: {
    connected: 'The running guest has the NIC.',
    arriving: 'The NIC is being attached to the running guest.',
    departing: 'The NIC is being detached from the running guest.',
    waiting: 'The guest gets the NIC with the next start of the VM.',
    leaving: 'The NIC is detached with the next stop of the VM.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description:
    'A NIC of a VM. Its MAC address never changes, nor does its address in a private network.',
})
export class Nic implements NicView {
  @Field(() => ID, { description: 'The id of the NIC. It never changes.' }) id!: string
  @Field(() => ID, { description: 'The VM of the NIC.' })
  vmId!: string
  @Field(() => Int, { description: 'The number in the name of the NIC, such as 1 in `nic1`.' })
  ordinal!: number
  @Field(() => String, { description: 'The name of the NIC in its VM.' }) name!: string
  @Field(() => NicKindEnum, { description: 'The kind of network to which the NIC is attached.' })
  kind!: NicKind
  @Field(() => NicStateEnum, { description: 'The state of the NIC in the guest.' })
  state!: NicState
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
  @Field(() => String, {
    nullable: true,
    description: 'The name of the network. Null on the cluster network.',
  })
  networkName!: string | null
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
  @Field(() => String, {
    nullable: true,
    description: 'The gateway of its network; null on the public network and the cluster network.',
  })
  gateway!: string | null
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
