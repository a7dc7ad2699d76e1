import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { Operation } from '../operation/operation-types.ts'
import { RuleEnforcement, SecurityGroupRule } from '../security-group/security-group-types.ts'
import { Vm } from './vm-types.ts'

@ObjectType({ simpleResolvers: true })
class VmSecurityGroup {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
}

@ObjectType({ simpleResolvers: true, description: 'Whether a rule holds on a NIC.' })
class NicEnforcement extends RuleEnforcement {
  @Field(() => String, { description: 'As the VM calls it.' }) nic!: string
}

@ObjectType({ simpleResolvers: true })
class VmSecurityRule extends SecurityGroupRule {
  @Field(() => ID, { description: 'The group that it is of.' }) groupId!: string
  @Field(() => [NicEnforcement], { description: 'One for each NIC.' })
  enforcement!: NicEnforcement[]
}

@ObjectType({ simpleResolvers: true, description: 'What a VM lets through.' })
export class VmSecurity {
  @Field(() => [VmSecurityGroup]) groups!: VmSecurityGroup[]
  @Field(() => [VmSecurityRule], { description: 'Of all its groups.' }) rules!: VmSecurityRule[]
  @Field(() => Boolean, { description: 'The platform has been told all of it.' }) inForce!: boolean
}

@InputType()
export class SetVmSecurityGroupsInput {
  @Field(() => ID) id!: string
  @Field(() => [ID], { description: 'All that it is to have, one at least.' })
  securityGroupIds!: string[]
}

@ObjectType({ simpleResolvers: true })
export class SetVmSecurityGroupsPayload {
  @Field(() => Vm) vm!: Vm
  @Field(() => Operation) operation!: Operation
}
