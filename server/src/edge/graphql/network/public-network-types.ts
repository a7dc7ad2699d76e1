import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type NetState } from '../../../domain/vpc/vpc.ts'
import { NetworkStateEnum } from './network-state.ts'
import { type Message } from '../../../engine/model/message.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'The network through which VMs are reached from outside. All tenants share it.',
})
export class PublicNetwork {
  @Field(() => ID, { description: 'The id of the network.' }) id!: string
  @Field(() => String, { description: 'The name of the network.' }) name!: string
  @Field(() => String, { description: 'The addresses of the network in CIDR notation.' })
  cidr!: string
  @Field(() => String, { description: 'The address of the gateway.' })
  gateway!: string
  @Field(() => [String], {
    description: 'The addresses of the DNS servers that VMs in the network get.',
  })
  dns!: readonly string[]
  @Field(() => String, { description: 'The namespace of its NetworkAttachmentDefinition.' })
  attachmentNamespace!: string
  @Field(() => String, { description: 'The name of its NetworkAttachmentDefinition.' })
  attachmentName!: string
  @Field(() => NetworkStateEnum, { description: 'The state as last observed in the cluster.' })
  state!: NetState
  @Field(() => String, { nullable: true, description: 'Why the network is not active.' })
  stateReason!: Message | null
  @Field(() => Int, { description: 'How many addresses the network has for VMs.' })
  capacity!: number
}
