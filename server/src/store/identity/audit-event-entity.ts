import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { auditOutcomes } from '../../domain/identity/audit.ts'
import { timestamp } from '../../engine/database/sql/entity-columns.ts'

/**
 * This schema serves reads only. A unit of work writes the rows with its commit, and they never
 * change.
 */
export const AuditEventSchema = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_event',
  properties: {
    id: p.uuid().primary(),
    at: timestamp(),
    tenantId: p.uuid().nullable(),
    actorId: p.uuid(),
    actorName: p.text(),
    actorRole: p.text(),
    actorTenantId: p.uuid().nullable(),
    credential: p.text(),
    credentialId: p.uuid().nullable(),
    operation: p.text(),
    targetKind: p.text().nullable(),
    targetId: p.uuid().nullable(),
    targetName: p.text().nullable(),
    outcome: p.enum(auditOutcomes),
    code: p.text().nullable(),
    requestId: p.text(),
    address: p.text(),
  },
})

declare module '../../engine/model/registry.ts' {
  interface Tables {
    audit_event: InferKyselyTable<typeof AuditEventSchema>
  }
}
