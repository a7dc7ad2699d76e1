import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { ruleDirections, ruleProtocols } from '../../domain/security-group/security-group.ts'
import { versionColumns } from '../../engine/database/sql/entity-columns.ts'

export const SecurityGroupSchema = defineEntity({
  name: 'SecurityGroup',
  tableName: 'security_group',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.text(),
    description: p.text().default(''),
    vpcId: p.uuid().nullable(),
    isDefault: p.boolean().default(false),
    ...versionColumns,
  },
})

export class SecurityGroup extends SecurityGroupSchema.class {}
SecurityGroupSchema.setClass(SecurityGroup)

export const SecurityGroupRuleSchema = defineEntity({
  name: 'SecurityGroupRule',
  tableName: 'security_group_rule',
  properties: {
    groupId: p.uuid().primary(),
    position: p.integer().primary(),
    tenantId: p.uuid(),
    direction: p.enum(ruleDirections),
    protocol: p.enum(ruleProtocols),
    portFrom: p.integer().nullable(),
    portTo: p.integer().nullable(),
    singlePort: p.boolean().default(false),
    cidr: p.text().nullable(),
    requestedCidr: p.text().nullable(),
    peerGroupId: p.uuid().nullable(),
  },
})

declare module '../../engine/model/registry.ts' {
  interface Tables {
    security_group: InferKyselyTable<typeof SecurityGroupSchema>
    security_group_rule: InferKyselyTable<typeof SecurityGroupRuleSchema>
  }
}
