import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { type ChangeApplies } from '../../domain/vm/vm.ts'
import { Operation } from './operation-types.ts'
import { ChangeAppliesEnum, Vm } from './vm-types.ts'

@InputType()
export class AttachNetworkInput {
  @Field(() => ID) vmId!: string
  @Field(() => ID, { description: 'Of a private network, or of the public one.' }) networkId!: string
}

@InputType()
export class DetachNetworkInput extends AttachNetworkInput {}

@ObjectType({ simpleResolvers: true })
class RewiredVmPayload {
  @Field(() => Vm) vm!: Vm
  @Field(() => Operation) operation!: Operation
  @Field(() => ChangeAppliesEnum, { description: 'A guest that runs goes on with the NICs that it has until its next start.' })
  applies!: ChangeApplies
}

@ObjectType({ simpleResolvers: true })
export class AttachNetworkPayload extends RewiredVmPayload {}

@ObjectType({ simpleResolvers: true })
export class DetachNetworkPayload extends RewiredVmPayload {}
