export const auditOutcomes = ['allowed', 'refused', 'failed'] as const
export type AuditOutcome = (typeof auditOutcomes)[number]

/**
 * An entry of the audit log: who called which mutation, on which object, and with which outcome.
 */
export interface AuditEventView {
  id: string
  at: string
  tenantId: string | null
  actorId: string
  actorName: string
  actorRole: string
  /** True when root acted in a tenant other than its own. */
  byPlatform: boolean
  credential: string
  operation: string
  targetKind: string | null
  targetId: string | null
  targetName: string | null
  outcome: AuditOutcome
  code: string | null
  requestId: string
  address: string
}
