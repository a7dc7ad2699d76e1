import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { Operation } from '../operation/operation-types.ts'
import { RuleEnforcement, SecurityGroupRule } from '../security-group/security-group-types.ts'
import { VmVerbInput } from './vm-inputs.ts'
import { Vm } from './vm-types.ts'

@ObjectType({ simpleResolvers: true, description: 'A security group of a VM.' })
class VmSecurityGroup {
  @Field(() => ID, { description: 'The id of the group.' }) id!: string
  @Field(() => String, { description: 'The name of the group.' }) name!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'Tells if the cluster enforces a rule on a NIC.',
})
class NicEnforcement extends RuleEnforcement {
  @Field(() => String, { description: 'The name of the NIC in its VM.' }) nic!: string
}

@ObjectType({
  simpleResolvers: true,
  description: 'A rule of a security group of a VM, and its enforcement.',
})
class VmSecurityRule extends SecurityGroupRule {
  @Field(() => ID, { description: 'The group of the rule.' }) groupId!: string
  @Field(() => [NicEnforcement], { description: 'Enforcement on each NIC.' })
  enforcement!: NicEnforcement[]
}

@ObjectType({
  simpleResolvers: true,
  description: 'The security groups of a VM and the traffic that they allow.',
})
export class VmSecurity {
  @Field(() => [VmSecurityGroup], { description: 'The groups of the VM.' })
  groups!: VmSecurityGroup[]
  @Field(() => [VmSecurityRule], { description: 'The rules of all its groups.' })
  rules!: VmSecurityRule[]
  @Field(() => Boolean, { description: 'True when the cluster has the current rules.' })
  inForce!: boolean
}

@InputType()
export class SetVmSecurityGroupsInput extends VmVerbInput {
  @Field(() => [ID], { description: 'The complete list of groups; at least one.' })
  securityGroupIds!: string[]
}

@ObjectType({ simpleResolvers: true })
export class SetVmSecurityGroupsPayload {
  @Field(() => Vm) vm!: Vm
  @Field(() => Operation) operation!: Operation
}
