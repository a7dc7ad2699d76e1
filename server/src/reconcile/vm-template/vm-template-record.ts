import { type FaultCode } from '../../engine/model/fault.ts'
import { type ImportReason, importWords } from '../../domain/vm-template/import-failure.ts'
import { type AskedTemplate } from '../../domain/vm-template/next-step.ts'
import { progressBetween } from '../../domain/vm-template/progress.ts'
import { type Op } from '../../store/op.ts'
import { type Unit } from '../fenced-unit.ts'
import { Promises } from '../promise.ts'
import { messageOf } from '../../engine/model/message.ts'

type Row = NonNullable<Awaited<ReturnType<Op['vmTemplates']['row']>>>

/** One fenced transaction on the row of a template. */
export type TemplateUnit = Unit<Row>

/** What the row of a template says of its import, with everything that it takes to carry it out. */
export interface AskedImport extends AskedTemplate {
  tenantId: string
  namespace: string
  image: string
  isoSizeGi: number
  storageClass: string | null
  /** How long ago it was asked for, by the database's clock. */
  waitedMs: number
}

const promisesOn = (op: Op, { id }: Row): Promise<Promises> =>
  Promises.on(op, { kind: 'vm_template', id })

/** What the row asks for, and first of all whether time is up for what was promised. */
async function askedOf(op: Op, template: Row | null): Promise<AskedImport | null> {
  if (!template?.tenantId || template.importGeneration === 0) return null
  const tenant = await op.reads.tenants.find(template.tenantId)
  const promises = await promisesOn(op, template)
  if (!tenant || tenant.state === 'deleting') await tenantGoes(op, template, promises)
  if (!tenant) return null
  begin(op, template, promises)
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
    seenGeneration: template.importSeenGeneration,
    importState: template.importState ?? null,
    isTransferred: template.importPercent === whole,
    clusterUid: template.clusterUid ?? null,
    waitedMs: promises.ageMs('import_iso'),
  }
}

function begin(op: Op, template: Row, promises: Promises): void {
  const isDeleted = Boolean(template.deleteRequestedAt)
  if (isDeleted) promises.supersede('import_iso', 'delete_vm_template')
  promises.begin(isDeleted ? 'delete_vm_template' : 'import_iso', 'volume')
  const ending = promises.expire()
  if (ending && isImporting(template))
    observeFailure(op, template, ending.state === 'cancelled' ? 'cancelled' : 'timeout')
}

/** Whatever was promised is not going to be kept, and the namespace takes the volume with it. */
async function tenantGoes(op: Op, template: Row, promises: Promises): Promise<void> {
  if (!template.deleteRequestedAt || template.goneAt)
    promises.fail('tenant_deleting', messageOf('tenant.deleted_with'))
  if (isImporting(template)) observeFailure(op, template, 'cancelled')
  await op.flush()
}

const whole = 100

const isImporting = ({
  goneAt,
  deleteRequestedAt,
  importSeenGeneration,
  importGeneration,
  importState,
}: Row): boolean =>
  !goneAt &&
  !deleteRequestedAt &&
  (importSeenGeneration < importGeneration || importState === 'importing')

/** Whether the row still asks for what the decision was made about. */
const isAsked = (template: Row | null, generation: number): template is Row =>
  template !== null && template.importGeneration === generation && isImporting(template)

async function beginImport(op: Op, template: Row | null, generation: number): Promise<void> {
  if (!isAsked(template, generation)) return
  observe(op, template, { ...blank, importSeenGeneration: generation, importState: 'importing' })
}

async function madeVolume(
  op: Op,
  template: Row | null,
  { generation, uid }: { generation: number; uid: string },
): Promise<void> {
  if (!isAsked(template, generation)) return
  const promises = await promisesOn(op, template)
  promises.finish('import_iso', 'volume')
  promises.begin('import_iso', 'import')
  observe(op, template, { clusterUid: uid })
}

async function progress(
  op: Op,
  template: Row | null,
  seen: { generation: number; percent: number | null },
): Promise<void> {
  if (!isAsked(template, seen.generation) || seen.percent === null) return
  const { importPercent, bytesPerSecond, seenAt } = template
  const isFirst = typeof importPercent !== 'number' || !seenAt
  const before = isFirst
    ? null
    : { percent: importPercent, atMs: Date.parse(seenAt), bytesPerSecond: bytesPerSecond ?? null }
  // That it is whole is told when its importer has ended, not when the last byte has come.
  const now = { percent: Math.min(seen.percent, 99.99), atMs: Date.parse(op.operations.now) }
  const told = progressBetween(before, now, template.isoSizeGi)
  if (!told) return
  const { percent, etaSeconds, ...rest } = told
  observe(op, template, { ...rest, importPercent: percent, importEtaSeconds: etaSeconds })
}

async function transferred(op: Op, template: Row | null, generation: number): Promise<void> {
  if (!isAsked(template, generation)) return
  const promises = await promisesOn(op, template)
  promises.finish('import_iso', 'import')
  promises.begin('import_iso', 'ready')
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
  if (!isAsked(template, generation)) return
  const promises = await promisesOn(op, template)
  for (const step of ['volume', 'import', 'ready']) promises.finish('import_iso', step)
  promises.succeed('import_iso')
  observe(op, template, { importState: 'ready' })
}

interface Failing {
  generation: number
  reason: ImportReason
  code?: FaultCode
}

/** Also of what was ready: an image that was taken away cannot be used any more. */
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
  const promises = await promisesOn(op, template)
  promises.fail(code ?? importWords[reason].code, importWords[reason].sentence)
  observeFailure(op, template, reason)
}

/** The last word on a key that nothing could be done with. */
async function giveUp(op: Op, template: Row | null): Promise<void> {
  if (!template) return
  const { code, sentence } = importWords.importer_missing
  const promises = await promisesOn(op, template)
  promises.fail(code, sentence)
  if (isImporting(template)) observeFailure(op, template, 'importer_missing')
}

async function erase(op: Op, template: Row | null): Promise<void> {
  if (!template?.deleteRequestedAt || template.goneAt) return
  const promises = await promisesOn(op, template)
  for (const step of ['volume', 'gone']) promises.finish('delete_vm_template', step)
  promises.succeed('delete_vm_template')
  op.vmTemplates.markGone(template)
  note(op, template)
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
  const told = { importReason: reason, importDetail: importWords[reason].sentence }
  observe(op, template, {
    ...blank,
    ...told,
    importSeenGeneration: template.importGeneration,
    importState: 'failed',
  })
}

function observe(op: Op, template: Row, seen: Parameters<Op['vmTemplates']['observe']>[1]): void {
  op.vmTemplates.observe(template, seen)
  note(op, template)
}

function note(op: Op, template: Row): void {
  op.changes.note('vm_template', {
    id: template.id,
    version: template.version + 1,
    tenantId: template.tenantId ?? null,
  })
}

/**
 * What the reconciler of templates writes; each in one transaction, and only while the row still
 * asks for it.
 */
export const templateRecord = {
  askedOf,
  begin: beginImport,
  madeVolume,
  progress,
  transferred,
  open,
  fail,
  giveUp,
  erase,
}
