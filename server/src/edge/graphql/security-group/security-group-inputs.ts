import { Field, ID, InputType, Int, registerEnumType } from 'type-graphql'
import {
  type RuleDirection,
  type RuleProtocol,
} from '../../../domain/security-group/security-group.ts'
import { enumOf } from '../../../engine/graphql/enum.ts'
import { type Direction, DirectionEnum } from '../../../engine/graphql/order.ts'
import { ruleEnums } from './security-group-types.ts'

@InputType()
export class SecurityGroupFilter {
  @Field(() => String, { nullable: true, description: 'Part of the name or of the description.' })
  search?: string | null
}

const sorts = ['createdAt', 'default', 'name'] as const
const SecurityGroupSort = enumOf(sorts)
registerEnumType(SecurityGroupSort, {
  name: 'SecurityGroupSort',
  description: '`default` is the default group first, then by name.',
})

@InputType()
export class SecurityGroupOrder {
  @Field(() => SecurityGroupSort) by!: (typeof sorts)[number]
  @Field(() => DirectionEnum, { defaultValue: 'asc' }) direction!: Direction
}

@InputType({ description: 'Exactly one of `cidr` and `peerGroupId`.' })
class SecurityGroupRuleInput {
  @Field(() => ruleEnums.direction) direction!: RuleDirection
  @Field(() => ruleEnums.protocol) protocol!: RuleProtocol
  @Field(() => Int, { nullable: true, description: 'Of tcp and udp; every port unless said.' })
  portFrom?: number | null
  @Field(() => Int, { nullable: true, description: 'The same as `portFrom` unless said.' })
  portTo?: number | null
  @Field(() => String, {
    nullable: true,
    description: 'As 203.0.113.0/24 or 2001:db8::/32; bits of a host are dropped.',
  })
  cidr?: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The VMs of a group of the tenant; it may be the group itself.',
  })
  peerGroupId?: string | null
}

@InputType()
export class CreateSecurityGroupInput {
  @Field(() => String, { description: 'Free text, once in a tenant.' }) name!: string
  @Field(() => String, { nullable: true }) description?: string | null
  @Field(() => ID, {
    nullable: true,
    description: 'The VPC that it is meant for; it holds wherever it is given.',
  })
  vpcId?: string | null
  @Field(() => [SecurityGroupRuleInput], {
    nullable: true,
    description: 'Without any nothing comes in and nothing goes out.',
  })
  rules?: SecurityGroupRuleInput[] | null
}

@InputType()
export class UpdateSecurityGroupInput {
  @Field(() => ID) id!: string
  @Field(() => String, { nullable: true }) name?: string | null
  @Field(() => String, { nullable: true }) description?: string | null
  @Field(() => [SecurityGroupRuleInput], {
    nullable: true,
    description: 'All that it is to have; none closes it.',
  })
  rules?: SecurityGroupRuleInput[] | null
  @Field(() => Int, {
    nullable: true,
    description: 'Refuse when the version is no longer this one.',
  })
  ifVersion?: number | null
}

@InputType()
export class DeleteSecurityGroupInput {
  @Field(() => ID) id!: string
}
