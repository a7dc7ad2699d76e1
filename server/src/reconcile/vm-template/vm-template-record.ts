import { type FaultCode } from '../../engine/model/fault.ts'
import {
  type ImportReason,
  importFailureMessages,
  importFailureSentence,
} from '../../domain/vm-template/import-failure.ts'
import { type DesiredTemplate } from '../../domain/vm-template/next-step.ts'
import { progressBetween } from '../../domain/vm-template/progress.ts'
import { type Op } from '../../store/op.ts'
import { type Unit } from '../fenced-unit.ts'
import { outOfTime } from '../../engine/reconcile/reconciler.ts'
import { type Attendance, OpenOperations } from '../open-operations.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

type Row = NonNullable<Awaited<ReturnType<Op['vmTemplates']['row']>>>

/** One fenced transaction on the row of a template. */
export type TemplateUnit = Unit<Row>

/** The desired import of a template, with everything needed to carry it out. */
export interface ImportTarget extends DesiredTemplate {
  tenantId: string
  namespace: string
  image: string
  isoSizeGi: number
  storageClass: string | null
  /** The age of the import request, by the database's clock. */
  waitedMs: number
  needsReview: boolean
}

const operationsOn = (op: Op, { id }: Row): Promise<OpenOperations> =>
  OpenOperations.on(op, { kind: 'vm_template', id })

/** Loads the desired state, ends a cancelled import, and tells whether a deadline passed. */
async function loadDesired(op: Op, template: Row | null): Promise<ImportTarget | null> {
  if (!template?.tenantId || template.importGeneration === 0) return null
  const tenant = await op.reads.tenants.find(template.tenantId)
  const operations = await operationsOn(op, template)
  if (!tenant || tenant.state === 'deleting') await failWithTenant(op, template, operations)
  if (!tenant) return null
  begin(op, template, operations)
  return {
    rowId: template.id,
    tenantId: template.tenantId,
    namespace: tenant.namespace,
    image: template.image,
    isoSizeGi: template.isoSizeGi,
    storageClass: template.storageClass ?? null,
    deleteRequested: Boolean(template.deleteRequestedAt),
    isGone: Boolean(template.goneAt),
    generation: template.importGeneration,
    observedGeneration: template.importObservedGeneration,
    importState: template.importState ?? null,
    isTransferred: template.importPercent === whole,
    clusterUid: template.clusterUid ?? null,
    hasTimedOut: template.importReason === 'timeout',
    waitedMs: operations.sinceProgressMs('import_iso'),
    needsReview: operations.needReview,
  }
}

function begin(op: Op, template: Row, operations: OpenOperations): void {
  const isDeleted = Boolean(template.deleteRequestedAt)
  if (isDeleted) operations.supersede('import_iso', 'delete_vm_template')
  operations.begin(isDeleted ? 'delete_vm_template' : 'import_iso', 'volume')
  if (operations.cancel() && isImporting(template)) observeFailure(op, template, 'cancelled')
}

/**
 * Ends operations that are past their deadline. Call it after the volume was observed. The volume
 * of a late import stays: the template is ready when the cluster completes it after all.
 */
async function expire(op: Op, template: Row | null, attendance: Attendance): Promise<void> {
  if (!template || template.goneAt) return
  const late = (await operationsOn(op, template)).expire(attendance)
  if (late.includes('import_iso') && isImporting(template)) observeFailure(op, template, 'timeout')
}

/** Records what the operator must provide before the import can continue. */
async function block(op: Op, template: Row | null, obstacle: Message): Promise<void> {
  if (template && !template.goneAt) (await operationsOn(op, template)).block(obstacle)
}

/**
 * Ends open operations of a template whose tenant is being deleted. The namespace deletes the
 * volume with it.
 */
async function failWithTenant(op: Op, template: Row, operations: OpenOperations): Promise<void> {
  if (!template.deleteRequestedAt || template.goneAt)
    operations.failAll('tenant_deleting', messageOf('tenant.deleted_with'))
  if (isImporting(template)) observeFailure(op, template, 'cancelled')
  await op.flush()
}

const whole = 100

const isImporting = ({
  goneAt,
  deleteRequestedAt,
  importObservedGeneration: observedGeneration,
  importGeneration,
  importState,
}: Row): boolean =>
  !goneAt &&
  !deleteRequestedAt &&
  (observedGeneration < importGeneration || importState === 'importing')

/** True when the row still desires the import for which the step was decided. */
const isStillDesired = (template: Row | null, generation: number): template is Row =>
  template !== null && template.importGeneration === generation && isImporting(template)

/** True when this import ended by its deadline. */
const isLate = (template: Row | null, generation: number): template is Row =>
  template !== null &&
  template.importGeneration === generation &&
  template.importObservedGeneration === generation &&
  template.importReason === 'timeout' &&
  !template.deleteRequestedAt &&
  !template.goneAt

async function beginImport(op: Op, template: Row | null, generation: number): Promise<void> {
  if (!isStillDesired(template, generation)) return
  observe(op, template, {
    ...blank,
    importObservedGeneration: generation,
    importState: 'importing',
  })
}

async function volumeCreated(
  op: Op,
  template: Row | null,
  { generation, uid }: { generation: number; uid: string },
): Promise<void> {
  if (!isStillDesired(template, generation)) return
  const operations = await operationsOn(op, template)
  operations.finish('import_iso', 'volume')
  operations.begin('import_iso', 'import')
  observe(op, template, { clusterUid: uid })
}

async function progress(
  op: Op,
  template: Row | null,
  observed: { generation: number; percent: number | null },
): Promise<void> {
  if (!isStillDesired(template, observed.generation) || observed.percent === null) return
  const { importPercent, bytesPerSecond, observedAt } = template
  const isFirst = typeof importPercent !== 'number' || !observedAt
  const before = isFirst
    ? null
    : {
        percent: importPercent,
        atMs: Date.parse(observedAt),
        bytesPerSecond: bytesPerSecond ?? null,
      }
  // An import is complete when its importer has ended, not when the last byte was copied.
  const now = { percent: Math.min(observed.percent, 99.99), atMs: Date.parse(op.operations.now) }
  const estimate = progressBetween(before, now, template.isoSizeGi)
  if (!estimate) return
  const { percent, etaSeconds, ...rest } = estimate
  const operations = await operationsOn(op, template)
  operations.advance('import_iso', 'import', Math.floor(percent))
  observe(op, template, { ...rest, importPercent: percent, importEtaSeconds: etaSeconds })
}

async function transferred(op: Op, template: Row | null, generation: number): Promise<void> {
  if (!isStillDesired(template, generation)) return
  const operations = await operationsOn(op, template)
  operations.finish('import_iso', 'import')
  operations.begin('import_iso', 'ready')
  const bytes = template.isoSizeGi * 2 ** 30
  observe(op, template, {
    importPercent: whole,
    importedBytes: bytes,
    totalBytes: bytes,
    bytesPerSecond: null,
    importEtaSeconds: null,
  })
}

async function open(op: Op, template: Row | null, generation: number): Promise<void> {
  if (!isStillDesired(template, generation) && !isLate(template, generation)) return
  const operations = await operationsOn(op, template)
  for (const step of ['volume', 'import', 'ready']) operations.finish('import_iso', step)
  operations.succeed('import_iso')
  observe(op, template, { importState: 'ready', importReason: null, importDetail: null })
}

interface Failing {
  generation: number
  reason: ImportReason
  code?: FaultCode
}

/**
 * Fails the import. A ready template fails as well, because a template without its volume cannot be
 * used.
 */
async function fail(
  op: Op,
  template: Row | null,
  { generation, reason, code }: Failing,
): Promise<void> {
  if (
    !template ||
    template.importGeneration !== generation ||
    template.deleteRequestedAt ||
    template.goneAt
  )
    return
  const operations = await operationsOn(op, template)
  operations.failAll(
    code ?? importFailureMessages[reason].code,
    importFailureMessages[reason].sentence,
  )
  observeFailure(op, template, reason)
}

/** Fails the import or the deletion after the work key was given up. */
async function giveUp(op: Op, template: Row | null): Promise<void> {
  if (!template) return
  const { code, sentence } = importFailureMessages.importer_missing
  const operations = await operationsOn(op, template)
  operations.failKind('import_iso', { code, detail: sentence })
  operations.failKind('delete_vm_template', outOfTime)
  if (isImporting(template)) observeFailure(op, template, 'importer_missing')
}

async function erase(op: Op, template: Row | null): Promise<void> {
  if (!template?.deleteRequestedAt || template.goneAt) return
  const operations = await operationsOn(op, template)
  for (const step of ['volume', 'gone']) operations.finish('delete_vm_template', step)
  operations.succeed('delete_vm_template')
  op.vmTemplates.markGone(template)
  recordChange(op, template)
}

const blank = {
  importReason: null,
  importDetail: null,
  clusterUid: null,
  importPercent: null,
  importedBytes: null,
  totalBytes: null,
  bytesPerSecond: null,
  importEtaSeconds: null,
}

function observeFailure(op: Op, template: Row, reason: ImportReason): void {
  const clusterUid = reason === 'timeout' ? (template.clusterUid ?? null) : null
  const importDetail = importFailureSentence(reason, clusterUid !== null)
  observe(op, template, {
    ...blank,
    importReason: reason,
    importDetail,
    clusterUid,
    importObservedGeneration: template.importGeneration,
    importState: 'failed',
  })
}

function observe(
  op: Op,
  template: Row,
  observed: Parameters<Op['vmTemplates']['observe']>[1],
): void {
  op.vmTemplates.observe(template, observed)
  recordChange(op, template)
}

function recordChange(op: Op, template: Row): void {
  op.changes.record('vm_template', {
    id: template.id,
    version: template.version + 1,
    tenantId: template.tenantId ?? null,
  })
}

/**
 * The writes of the template reconciler. Each is one transaction, and applies only while the row
 * still desires it.
 */
export const templateRecord = {
  loadDesired,
  begin: beginImport,
  volumeCreated,
  progress,
  transferred,
  open,
  fail,
  expire,
  block,
  giveUp,
  erase,
}
