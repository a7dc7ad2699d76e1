import { newId } from '../../runtime/ids.ts'
import {
  type AuditExport,
  type AuditExportFormat,
  type AuditFilter,
  auditExportName,
} from '../../domain/identity/audit.ts'
import { type Op } from '../../store/op.ts'

export interface CreateAuditExportRequest extends AuditFilter {
  format: AuditExportFormat
  /** The tenant whose entries are exported; null means all tenants. */
  tenantId: string | null
}

/**
 * Records an export of the audit log in the audit log, and ends its span. The caller then reads the
 * entries of the span page by page, with the permission of the list.
 */
export async function createAuditExport(
  op: Op,
  { format, tenantId, ...filter }: CreateAuditExportRequest,
): Promise<{ auditExport: AuditExport }> {
  const before = await op.reads.auditEvents.endOfSpan(filter.before ?? null)
  const auditExport = { id: newId(), format, since: filter.since ?? null, before }
  op.audit.setTarget('audit_export', {
    id: auditExport.id,
    name: auditExportName(auditExport, filter),
    tenantId,
  })
  return { auditExport }
}
