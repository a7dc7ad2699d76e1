import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { SecurityGroup, SecurityGroupRuleSchema } from './security-group-entity.ts'
import { SecurityGroupReads, SecurityGroupStore } from './security-group.ts'

/** The part of the store for security groups: tables and queries. */
export const securityGroupNoun = {
  entities: [SecurityGroup, SecurityGroupRuleSchema],
  reads: { securityGroups: SecurityGroupReads },
  stores: { securityGroups: SecurityGroupStore },
  workKeys: {},
  deletedWithTenant: [SecurityGroup],
  constraints: {
    security_group_name_key: messageOf('security_group.name_taken_meanwhile'),
  },
} satisfies NounParts
