import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import {
  type RuleDirection,
  type RuleProtocol,
  type SecurityGroupRule as Rule,
  type SecurityGroupView,
  ruleDirections,
  ruleProtocols,
} from '../../../domain/security-group/security-group.ts'
import { type Enforcement } from '../../../domain/security-group/guard.ts'
import { type GroupUse } from '../../../domain/security-group/uses.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { type Message } from '../../../engine/model/message.ts'

export const ruleEnums = { direction: enumOf(ruleDirections), protocol: enumOf(ruleProtocols) }
registerEnumType(ruleEnums.direction, { name: 'SecurityGroupRuleDirection' })
registerEnumType(ruleEnums.protocol, {
  name: 'SecurityGroupRuleProtocol',
  description: '`all` is every protocol, ICMP included.',
})

@ObjectType({ simpleResolvers: true, description: 'What is let through.' })
export class SecurityGroupRule implements Rule {
  @Field(() => ruleEnums.direction) direction!: RuleDirection
  @Field(() => ruleEnums.protocol) protocol!: RuleProtocol
  @Field(() => Int, { nullable: true, description: 'Null is every port.' }) portFrom!: number | null
  @Field(() => Int, { nullable: true }) portTo!: number | null
  @Field(() => Boolean, { description: '`portFrom` alone was named.' }) singlePort!: boolean
  @Field(() => String, { nullable: true }) cidr!: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The VMs of this group, where there is no `cidr`.',
  })
  peerGroupId!: string | null
}

@ObjectType({ simpleResolvers: true, description: 'Whether a rule holds.' })
export class RuleEnforcement implements Enforcement {
  @Field(() => Boolean) enforced!: boolean
  @Field(() => String, { nullable: true, description: 'Why not; null when it holds.' })
  reason!: Message | null
}

@ObjectType({ simpleResolvers: true, description: 'By name, and at most ten of them.' })
class SecurityGroupUsers {
  @Field(() => [String]) names!: readonly string[]
  @Field(() => Int) total!: number
}

@ObjectType({
  simpleResolvers: true,
  description: 'Who has a group, and which other groups name it in their rules.',
})
export class SecurityGroupUse implements GroupUse {
  @Field(() => SecurityGroupUsers) vms!: SecurityGroupUsers
  @Field(() => SecurityGroupUsers) groups!: SecurityGroupUsers
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now, in words; null when it is allowed.',
})
export class SecurityGroupRefusals {
  @Field(() => String, { nullable: true }) rename!: Message | null
  @Field(() => String, { nullable: true }) delete!: Message | null
}

@ObjectType({
  simpleResolvers: true,
  description:
    'Who may talk to VMs, and to whom they may. A VM lets through what any of its groups does; a direction without rules is closed.',
})
export class SecurityGroup implements SecurityGroupView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => String) description!: string
  @Field(() => ID, {
    nullable: true,
    description: 'The VPC that it is meant for; it holds wherever it is given.',
  })
  vpcId!: string | null
  @Field(() => Boolean, {
    description: 'Of VMs for which no other is chosen; it cannot be deleted or renamed.',
  })
  isDefault!: boolean
  @Field(() => [SecurityGroupRule]) rules!: Rule[]
  @Field(() => Int) version!: number
  @Field(() => DateTime) createdAt!: string
  @Field(() => DateTime) updatedAt!: string
}

@ObjectType({ simpleResolvers: true })
export class SecurityGroupConnection extends connectionOf<SecurityGroupView>(
  SecurityGroup,
  'SecurityGroup',
) {}

@ObjectType({ simpleResolvers: true })
class SecurityGroupPayload {
  @Field(() => SecurityGroup) securityGroup!: SecurityGroup
  @Field(() => Operation, { nullable: true, description: 'Null where no VM has to hear of it.' })
  operation?: Operation | null
}

@ObjectType({ simpleResolvers: true })
class CreateSecurityGroupPayload extends SecurityGroupPayload {}

@ObjectType({ simpleResolvers: true })
class UpdateSecurityGroupPayload extends SecurityGroupPayload {}

@ObjectType({ simpleResolvers: true })
class DeleteSecurityGroupPayload extends SecurityGroupPayload {}

export const securityGroupPayloads = {
  create: CreateSecurityGroupPayload,
  update: UpdateSecurityGroupPayload,
  delete: DeleteSecurityGroupPayload,
}
