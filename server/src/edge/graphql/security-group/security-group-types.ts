import { Field, ID, Int, ObjectType } from 'type-graphql'
import {
  type RuleDirection,
  type RuleProtocol,
  type SecurityGroupRule as Rule,
  type SecurityGroupView,
  ruleDirections,
  ruleProtocols,
} from '../../../domain/security-group/security-group.ts'
import { type Enforcement } from '../../../domain/security-group/firewall.ts'
import { type GroupUse } from '../../../domain/security-group/uses.ts'
import { connectionOf } from '../../../engine/graphql/connection.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { Operation } from '../operation/operation-types.ts'
import { Node } from '../../../engine/graphql/node.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { type Message } from '../../../engine/model/message.ts'

export const ruleEnums = {
  direction: enumOf('SecurityGroupRuleDirection', ruleDirections, {
    description: 'The direction of the traffic that a rule allows.',
    values: {
      ingress: 'The rule allows traffic to the VM.',
      egress: 'The rule allows traffic from the VM.',
    },
  }),
  protocol: enumOf('SecurityGroupRuleProtocol', ruleProtocols, {
    description: 'The protocol of the traffic that a rule allows.',
    values: {
      tcp: 'The rule allows TCP.',
      udp: 'The rule allows UDP.',
      icmp: 'The rule allows ICMP, which has no ports.',
      all: 'The rule allows every protocol, ICMP included.',
    },
  }),
}

@ObjectType({ simpleResolvers: true, description: 'Traffic that a security group allows.' })
export class SecurityGroupRule implements Rule {
  @Field(() => ruleEnums.direction, {
    description: 'Ingress is traffic to the VM, egress traffic from it.',
  })
  direction!: RuleDirection
  @Field(() => ruleEnums.protocol, { description: 'The protocol that the rule allows.' })
  protocol!: RuleProtocol
  @Field(() => Int, { nullable: true, description: 'The first port; null for all ports.' })
  portFrom!: number | null
  @Field(() => Int, { nullable: true, description: 'The last port; null for all ports.' })
  portTo!: number | null
  @Field(() => Boolean, { description: 'True when the request set only `portFrom`.' })
  singlePort!: boolean
  @Field(() => String, {
    nullable: true,
    description: 'The allowed addresses in CIDR notation; null when `peerGroupId` is set.',
  })
  cidr!: string | null
  @Field(() => String, {
    nullable: true,
    description: 'The CIDR as the request wrote it, possibly with host bits.',
  })
  requestedCidr?: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The group whose VMs are allowed; null when `cidr` is set.',
  })
  peerGroupId!: string | null
}

@ObjectType({ simpleResolvers: true, description: 'Tells if the cluster enforces a rule.' })
export class RuleEnforcement implements Enforcement {
  @Field(() => Boolean, { description: 'True when the cluster enforces the rule.' })
  enforced!: boolean
  @Field(() => String, {
    nullable: true,
    description: 'Why the rule is not enforced; null when it is.',
  })
  reason!: Message | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'The names of at most ten objects, and the number of all.',
})
class SecurityGroupUsers {
  @Field(() => [String], {
    description: 'The names of the first ten objects, in alphabetical order.',
  })
  names!: readonly string[]
  @Field(() => Int, { description: 'The number of all objects.' })
  total!: number
}

@ObjectType({
  simpleResolvers: true,
  description: 'The VMs that have a group, and the groups that name it in their rules.',
})
export class SecurityGroupUse implements GroupUse {
  @Field(() => SecurityGroupUsers, { description: 'The VMs that have the group.' })
  vms!: SecurityGroupUsers
  @Field(() => SecurityGroupUsers, { description: 'The other groups that name it in their rules.' })
  groups!: SecurityGroupUsers
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why an action is refused now; null when it is allowed.',
})
export class SecurityGroupRefusals {
  @Field(() => String, { nullable: true, description: 'Why the group cannot be renamed.' })
  rename!: Message | null
  @Field(() => String, { nullable: true, description: 'Why the group cannot be deleted.' })
  delete!: Message | null
}

@ObjectType({
  simpleResolvers: true,
  implements: Node,
  description:
    'A named set of firewall rules. A VM allows the traffic that any of its groups allows; without rules a direction is denied.',
})
export class SecurityGroup implements SecurityGroupView {
  @Field(() => ID) id!: string
  @Field(() => ID) tenantId!: string
  @Field(() => String) name!: string
  @Field(() => String, { description: 'Free text; empty without one.' })
  description!: string
  @Field(() => ID, {
    nullable: true,
    description: 'The VPC for which the group is intended. The group works in every VPC.',
  })
  vpcId!: string | null
  @Field(() => Boolean, {
    description:
      'True for the group of VMs that are created without a choice of groups. It cannot be deleted or renamed.',
  })
  isDefault!: boolean
  @Field(() => [SecurityGroupRule], { description: 'The rules in their order.' })
  rules!: Rule[]
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
  @Field(() => Operation, {
    nullable: true,
    description: 'The operation that applies the rules. Null when no VM is affected.',
  })
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
