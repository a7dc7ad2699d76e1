import { Field, ID, Int, ObjectType } from 'type-graphql'
import { type NetState } from '../../../domain/vpc/vpc.ts'
import { NetStateEnum } from './net-state.ts'
import { type Message } from '../../../engine/model/message.ts'

@ObjectType({
  simpleResolvers: true,
  description: 'The network that VMs are reached by from outside. All tenants share it.',
})
export class PublicNetwork {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => String) cidr!: string
  @Field(() => String) gateway!: string
  @Field(() => [String]) dns!: readonly string[]
  @Field(() => String, { description: 'Where its attachment is in the cluster.' })
  attachmentNamespace!: string
  @Field(() => String) attachmentName!: string
  @Field(() => NetStateEnum) state!: NetState
  @Field(() => String, { nullable: true, description: 'What hinders it.' })
  stateReason!: Message | null
  @Field(() => Int, { description: 'How many addresses it has for VMs.' }) capacity!: number
}
