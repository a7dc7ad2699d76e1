import { type UnitTools } from '../../engine/database/unit.ts'
import { type Reader } from '../../engine/database/sql/reader.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type NounParts } from '../noun-parts.ts'
import { SecurityGroup, SecurityGroupRuleSchema } from './security-group-entity.ts'
import { SecurityGroupReads, SecurityGroupStore } from './security-group.ts'

/** The part of the store for security groups: tables and queries. */
export const securityGroupNoun = {
  entities: [SecurityGroup, SecurityGroupRuleSchema],
  reads: { securityGroups: SecurityGroupReads },
  stores: {
    securityGroups: (unit: UnitTools, reader: Reader) => new SecurityGroupStore(unit, reader),
  },
  workKeys: {},
  constraints: {
    security_group_name_key: messageOf('security_group.name_taken_meanwhile'),
  },
} satisfies NounParts
