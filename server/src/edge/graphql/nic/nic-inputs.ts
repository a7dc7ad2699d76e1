import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import { type ChangeApplies } from '../../../domain/vm/vm.ts'
import { type NicWaitReason } from '../../../domain/nic/wait-reasons.ts'
import { NicWaitReasonEnum } from './nic-types.ts'
import { Operation } from '../operation/operation-types.ts'
import { ChangeAppliesEnum } from '../vm/vm-enums.ts'
import { Vm } from '../vm/vm-types.ts'
import { type Message } from '../../../engine/model/message.ts'

@InputType()
export class AttachNetworkInput {
  @Field(() => ID, { nullable: true, description: 'The VM; set either this or `vmName`.' })
  vmId?: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The name of the VM in the tenant, instead of its id.',
  })
  vmName?: string | null
  @Field(() => Int, ifVersionField) ifVersion?: number | null
  @Field(() => ID, { description: 'The id of a private network or of the public network.' })
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
      'When the change takes effect: now, which the operation waits for, or with the next start.',
  })
  applies!: ChangeApplies
  @Field(() => NicWaitReasonEnum, {
    nullable: true,
    description: 'Why the NIC waits for the next start; null when it does not.',
  })
  waitsFor!: NicWaitReason | null
  @Field(() => String, { nullable: true, description: 'The reason as a sentence.' })
  because!: Message | null
}

@ObjectType({ simpleResolvers: true })
export class AttachNetworkPayload extends RewiredVmPayload {}

@ObjectType({ simpleResolvers: true })
export class DetachNetworkPayload extends RewiredVmPayload {}
