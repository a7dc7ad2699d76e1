import { Field, ID, InputType, Int } from 'type-graphql'
import { ifVersionField } from '../../../engine/graphql/if-version-field.ts'
import {
  type RuleDirection,
  type RuleProtocol,
} from '../../../domain/security-group/security-group.ts'
import { createdAfterField } from '../../../engine/graphql/created-after-field.ts'
import { DateTime } from '../../../engine/graphql/scalars.ts'
import { orderOf } from '../../../engine/graphql/order.ts'
import { ruleEnums } from './security-group-types.ts'

@InputType()
export class SecurityGroupFilter {
  @Field(() => String, {
    nullable: true,
    description: 'Matches a part of the name or of the description.',
  })
  search?: string | null
  @Field(() => DateTime, createdAfterField) createdAfter?: string | null
}

@InputType()
export class SecurityGroupOrder extends orderOf(
  'SecurityGroupSort',
  ['createdAt', 'default', 'name'],
  { description: '`default`: the default group first, then by name.' },
) {}

@InputType({ description: 'Exactly one of `cidr` and `peerGroupId` must be set.' })
class SecurityGroupRuleInput {
  @Field(() => ruleEnums.direction, {
    description: 'Ingress is traffic to the VM, egress traffic from it.',
  })
  direction!: RuleDirection
  @Field(() => ruleEnums.protocol, { description: 'The protocol that the rule allows.' })
  protocol!: RuleProtocol
  @Field(() => Int, {
    nullable: true,
    description:
      'The first port, for `tcp` and `udp`. Without it, the rule covers all ports. An `icmp` rule keeps its ports, and they have no effect.',
  })
  portFrom?: number | null
  @Field(() => Int, { nullable: true, description: 'The last port; `portFrom` by default.' })
  portTo?: number | null
  @Field(() => String, {
    nullable: true,
    description: 'A CIDR such as 203.0.113.0/24 or 2001:db8::/32. Host bits are removed.',
  })
  cidr?: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The VMs of this group of the tenant. It may be the group that has the rule.',
  })
  peerGroupId?: string | null
}

@InputType()
export class CreateSecurityGroupInput {
  @Field(() => String, { description: 'Free text, unique in the tenant.' }) name!: string
  @Field(() => String, { nullable: true, description: 'A text for users, which Berth only shows.' })
  description?: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The VPC for which the group is intended. The group works in every VPC.',
  })
  vpcId?: string | null
  @Field(() => [SecurityGroupRuleInput], {
    nullable: true,
    description: 'The rules of the group. Without rules, the group allows no traffic.',
  })
  rules?: SecurityGroupRuleInput[] | null
}

@InputType()
export class UpdateSecurityGroupInput {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true, description: 'The new name of the group.' }) name?:
    string | null
  @Field(() => String, {
    nullable: true,
    description: 'A text for users, which Berth only shows. An empty text removes it.',
  })
  description?: string | null
  @Field(() => [SecurityGroupRuleInput], {
    nullable: true,
    description: 'The complete list of rules. An empty list denies all traffic.',
  })
  rules?: SecurityGroupRuleInput[] | null
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}

@InputType()
export class DeleteSecurityGroupInput {
  @Field(() => ID) id!: string
  @Field(() => Int, ifVersionField) ifVersion?: number | null
}
