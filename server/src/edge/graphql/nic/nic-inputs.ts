import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { type ChangeApplies } from '../../../domain/vm/vm.ts'
import { type ColdReason } from '../../../domain/nic/cold.ts'
import { NicWaitEnum } from './nic-types.ts'
import { Operation } from '../operation/operation-types.ts'
import { ChangeAppliesEnum, Vm } from '../vm/vm-types.ts'
import { type Message } from '../../../engine/model/message.ts'

@InputType()
export class AttachNetworkInput {
  @Field(() => ID) vmId!: string
  @Field(() => ID, { description: 'Of a private network, or of the public one.' })
  networkId!: string
}

@InputType()
export class DetachNetworkInput extends AttachNetworkInput {}

@ObjectType({ simpleResolvers: true })
class RewiredVmPayload {
  @Field(() => Vm) vm!: Vm
  @Field(() => Operation) operation!: Operation
  @Field(() => ChangeAppliesEnum, {
    description:
      'Whether a guest that runs gets or loses the NIC while it runs, which its operation waits for.',
  })
  applies!: ChangeApplies
  @Field(() => NicWaitEnum, {
    nullable: true,
    description: 'Why not while it runs; null where that is no question.',
  })
  waitsFor!: ColdReason | null
  @Field(() => String, { nullable: true, description: 'The same in words.' })
  because!: Message | null
}

@ObjectType({ simpleResolvers: true })
export class AttachNetworkPayload extends RewiredVmPayload {}

@ObjectType({ simpleResolvers: true })
export class DetachNetworkPayload extends RewiredVmPayload {}
