import { Field, InputType, Int, ObjectType } from 'type-graphql'
import { type VmSshState, type VmSshView, vmSshStates } from '../../../domain/vm-ssh/vm-ssh.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { NamedVmInput } from '../vm/vm-inputs.ts'
import { Vm } from '../vm/vm-types.ts'
import { type Message } from '../../../engine/model/message.ts'

const VmSshStateEnum = enumOf('VmSshState', vmSshStates, {
  description: 'The state of SSH access to a VM.',
  values: {
    closed: 'SSH access is off.',
    opening: 'The port is being allocated.',
    open: 'The port leads to the VM.',
    waiting: 'The port is allocated, and leads to the VM as soon as the VM runs.',
    refused: 'The cluster did not allocate the port. `explanation` has the remedy.',
    closing: 'The port is being released.',
  },
})

@ObjectType({
  simpleResolvers: true,
  description: 'SSH access: a port on every node that leads to SSH of the VM.',
})
export class VmSsh implements VmSshView {
  @Field(() => VmSshStateEnum, { description: 'The state of the SSH access.' })
  state!: VmSshState
  @Field(() => Boolean, { description: 'True when SSH access was requested.' }) exposed!: boolean
  @Field(() => Int, { nullable: true, description: 'The requested port; null for any free port.' })
  wantedNodePort!: number | null
  @Field(() => Int, { nullable: true, description: 'The allocated port.' }) nodePort!: number | null
  @Field(() => String, {
    nullable: true,
    description: 'The address to which the port leads; null while the VM does not run.',
  })
  address!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'Why SSH access does not work, and how to fix it; null when it works.',
  })
  explanation!: Message | null
}

@InputType()
export class ExposeVmSshInput extends NamedVmInput {
  @Field(() => Int, {
    nullable: true,
    description: 'A port from 30000 to 32767; any free port by default.',
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
