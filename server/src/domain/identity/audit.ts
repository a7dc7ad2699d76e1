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

export const auditExportFormats = ['csv', 'ndjson'] as const
export type AuditExportFormat = (typeof auditExportFormats)[number]

/** The filters of the audit log, for its list and its exports. */
export interface AuditFilter {
  operation?: string | null
  actorName?: string | null
  outcome?: AuditOutcome | null
  /** The earliest time of an entry. */
  since?: string | null
  /** The time that all entries are older than. */
  before?: string | null
}

/** One export of the audit log. Entries that are recorded after it was requested are no part. */
export interface AuditExport {
  id: string
  format: AuditExportFormat
  since: string | null
  before: string
}

const longestFilter = 100

/** Names an export in its own audit row: the span, the format, and the beginning of each filter. */
export function auditExportName(
  { format, since, before }: AuditExport,
  { operation, actorName, outcome }: AuditFilter,
): string {
  const filters = Object.entries({ operation, actorName, outcome }).flatMap(([field, value]) =>
    value ? [`${field} ${value.slice(0, longestFilter)}`] : [],
  )
  return [`${since ?? 'the beginning'} to ${before}`, format, ...filters].join(', ')
}
