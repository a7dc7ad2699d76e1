import { defineEntity, p } from '@mikro-orm/core'
import { type InferKyselyTable } from '@mikro-orm/sql'
import { sessionKinds } from '../../domain/identity/session.ts'
import { timestamp } from '../../engine/database/sql/entity-columns.ts'

export const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    userId: p.uuid(),
    kind: p.enum(sessionKinds),
    refreshGeneration: p.integer().default(0),
    userAgent: p.text().default(''),
    address: p.text().default(''),
    createdAt: timestamp().defaultRaw('now()'),
    lastUsedAt: timestamp().defaultRaw('now()'),
    expiresAt: timestamp(),
    revokedAt: timestamp().nullable(),
  },
})

export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session)

declare module '../../engine/model/registry.ts' {
  interface Tables {
    session: InferKyselyTable<typeof SessionSchema>
  }
}
