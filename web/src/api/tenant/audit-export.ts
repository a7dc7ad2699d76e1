import { t } from '../../i18n/t.ts'
import { type FaultMessage, faultFromProblem } from '../fault-message.ts'

export type AuditExportFormat = 'csv' | 'ndjson'

/** The body of an export. A filter that does not apply is undefined. */
export interface AuditExportFilter {
  operation?: string | undefined
  actor_name?: string | undefined
  outcome?: string | undefined
  since?: string | undefined
  before?: string | undefined
}

interface AuditExportRequest {
  fetch: typeof fetch
  format: AuditExportFormat
  filter: AuditExportFilter
}

/** Requests the audit log as a file. A file that was cut off is a fault. */
export async function exportAuditLog({
  fetch,
  format,
  filter,
}: AuditExportRequest): Promise<Blob | FaultMessage> {
  const answer = await fetch('/api/v1/audit-exports', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ format, ...filter }),
  }).catch(() => null)
  if (!answer?.ok)
    return faultFromProblem(answer?.status ?? 0, await answer?.json().catch(() => null))
  const file = await answer.blob().catch(() => null)
  return file && (await isComplete(file)) ? file : cutOff()
}

const longestEnd = 100

/** True when the file ends with the line that each format has for its end. */
async function isComplete(file: Blob): Promise<boolean> {
  const end = await file.slice(-longestEnd).text()
  return /(^|\n)(complete,\d+,*|\{"complete":true,"rows":\d+\})\r?\n$/.test(end)
}

const cutOff = (): FaultMessage => ({
  code: 'cut_off',
  sentence: t('The export was cut off.'),
  remedy: t('Try again; if it ends early again, choose fewer days.'),
  fields: {},
  requestId: null,
  transient: false,
})
