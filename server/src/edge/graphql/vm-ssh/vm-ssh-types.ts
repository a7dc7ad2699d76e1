import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql'
import { type VmSshState, type VmSshView, vmSshStates } from '../../../domain/vm-ssh/vm-ssh.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { NamedVmInput } from '../vm/vm-inputs.ts'
import { Vm } from '../vm/vm-types.ts'
import { type Message } from '../../../engine/model/message.ts'

const VmSshStateEnum = enumOf(vmSshStates)
registerEnumType(VmSshStateEnum, {
  name: 'VmSshState',
  description:
    'Open: the port leads to the VM. Waiting: there is a port, and the VM does not run. Refused: the platform gives no such port.',
})

@ObjectType({
  simpleResolvers: true,
  description:
    'Whether SSH of a VM is reached from outside, by a port of every node of the platform.',
})
export class VmSsh implements VmSshView {
  @Field(() => VmSshStateEnum) state!: VmSshState
  @Field(() => Boolean, { description: 'As it was asked for.' }) exposed!: boolean
  @Field(() => Int, { nullable: true, description: 'That was asked for; null is any.' })
  wantedNodePort!: number | null
  @Field(() => Int, { nullable: true, description: 'That it has.' }) nodePort!: number | null
  @Field(() => String, {
    nullable: true,
    description: 'Where the port leads; null while the VM does not run.',
  })
  address!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'What is not as one would expect, and what to do; null when all is plain.',
  })
  explanation!: Message | null
}

@InputType()
export class ExposeVmSshInput extends NamedVmInput {
  @Field(() => Int, {
    nullable: true,
    description: 'From 30000 to 32767; any that is free unless said otherwise.',
  })
  nodePort?: number | null
}

@InputType()
export class UnexposeVmSshInput extends NamedVmInput {}

@ObjectType({ simpleResolvers: true })
class VmSshPayload {
  @Field(() => Vm) vm!: Vm
  @Field(() => Operation) operation!: Operation
}

@ObjectType({ simpleResolvers: true })
export class ExposeVmSshPayload extends VmSshPayload {}

@ObjectType({ simpleResolvers: true })
export class UnexposeVmSshPayload extends VmSshPayload {}
