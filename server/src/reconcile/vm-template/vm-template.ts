import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterError, reactions } from '../../engine/kube/cluster-error.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { type FaultCode } from '../../engine/model/fault.ts'
import { stepFailpoint } from '../../domain/operation/kind.ts'
import { isoVolumeName } from '../../domain/vm-template/iso-volume.ts'
import { type ImportReason } from '../../domain/vm-template/import-failure.ts'
import { type TemplateStep, nextStep } from '../../domain/vm-template/next-step.ts'
import { type ObservedDataVolume } from '../../domain/volume/data-volume.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { importEgressPolicy } from '../cluster/import-egress-policy.ts'
import { askDeadlineAfter } from '../ask-deadline.ts'
import { readIfServed } from '../obstacle.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { type FirewallSettings, requireFirewallSettings } from '../vm-firewall/firewall-settings.ts'
import { isFinalRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  atOnce,
  done,
  waiting,
} from '../../engine/reconcile/reconciler.ts'
import { type ImportTarget, type TemplateUnit, templateRecord } from './vm-template-record.ts'

export interface VmTemplateReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  /**
   * True when importers may reach the private network of the cluster. See `import` in the
   * configuration.
   */
  allowPrivate: boolean
  firewallSettings: () => FirewallSettings | null
  /** The storage class of templates that name none. Null lets the cluster choose. */
  defaultClass: string | null
  /** The delay between checks while the cluster carries out a change. */
  waitMs?: number
  /** The interval of progress checks during an import. */
  pollMs?: number
}

/**
 * Keeps the volume of an imported template in the desired state. It is created once, is given up
 * when the import fails, and is deleted with the template.
 */
export function vmTemplateReconciler({
  waitMs = 500,
  pollMs = 2_000,
  ...parts
}: VmTemplateReconcilerParts): Reconciler {
  const { store, work, cluster, defaultClass, allowPrivate, firewallSettings } = parts
  const unitFor = fencedUnits({ store, work }, (op, id) => op.vmTemplates.row(id))

  return {
    kind: 'vm_template',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const desired = await unit(templateRecord.loadDesired)
      if (!desired) return done
      const reference = { namespace: desired.namespace, name: isoVolumeName(key.objectId) }
      const context = {
        unit,
        desired,
        cluster,
        reference,
        defaultClass,
        allowPrivate,
        firewallSettings,
        waitMs,
        pollMs,
      }
      return askDeadlineAfter({
        lease,
        needsReview: desired.needsReview,
        expire: (attendance) => unit((op, row) => templateRecord.expire(op, row, attendance)),
        block: (obstacle) => unit((op, row) => templateRecord.block(op, row, obstacle)),
        act: () => reconcileImport(context),
      })
    },
    gaveUp: (key, lease) => unitFor(key, lease)(templateRecord.giveUp),
  }
}

async function reconcileImport(context: Omit<ReconcileContext, 'observed'>): Promise<Outcome> {
  const { cluster, desired, reference } = context
  const read = () => cluster.reader.getDataVolume(reference)
  const isNeverCreated = desired.deleteRequested && desired.clusterUid === null
  const observed = isNeverCreated ? await readIfServed(read) : await read()
  return take(nextStep(desired, observed, desired.waitedMs), { ...context, observed })
}

interface ReconcileContext {
  unit: TemplateUnit
  desired: ImportTarget
  observed: ObservedDataVolume | null
  cluster: VmTemplateReconcilerParts['cluster']
  reference: { namespace: string; name: string }
  defaultClass: string | null
  allowPrivate: boolean
  firewallSettings: () => FirewallSettings | null
  waitMs: number
  pollMs: number
}

async function take(step: TemplateStep, context: ReconcileContext): Promise<Outcome> {
  const { unit, desired, waitMs } = context
  switch (step.do) {
    case 'nothing':
      return done
    case 'wait':
      return waiting(waitMs)
    case 'removeVolume': {
      const remove = () => removeVolume(context, step.uid)
      return desired.deleteRequested
        ? atFailpoint(stepFailpoint('delete_vm_template', 'volume'), remove)
        : remove()
    }
    case 'erase':
      await atFailpoint(stepFailpoint('delete_vm_template', 'gone'), () =>
        unit(templateRecord.erase),
      )
      return done
    case 'fail':
      return fail(context, step)
    default:
      return takeImport(step, context)
  }
}

type ImportStep = Extract<
  TemplateStep,
  { do: 'begin' | 'applyVolume' | 'recordProgress' | 'recordTransferred' | 'open' }
>

async function takeImport(step: ImportStep, context: ReconcileContext): Promise<Outcome> {
  const { unit, desired, pollMs } = context
  const { generation } = desired
  switch (step.do) {
    case 'begin':
      await unit((op, template) => templateRecord.begin(op, template, generation))
      return atOnce
    case 'applyVolume':
      return atFailpoint(stepFailpoint('import_iso', 'volume'), () => applyVolume(context))
    case 'recordProgress':
      await unit((op, template) =>
        templateRecord.progress(op, template, { generation, percent: step.percent }),
      )
      return { again: { afterMs: pollMs } }
    case 'recordTransferred':
      await atFailpoint(stepFailpoint('import_iso', 'import'), () =>
        unit((op, template) => templateRecord.transferred(op, template, generation)),
      )
      return atOnce
    case 'open':
      await atFailpoint(stepFailpoint('import_iso', 'ready'), () =>
        unit((op, template) => templateRecord.open(op, template, generation)),
      )
      return done
  }
}

/** Fails the import and reconciles again at once, to remove the rest of it. */
async function fail(
  { unit, desired }: ReconcileContext,
  why: { reason: ImportReason; code?: FaultCode },
): Promise<Outcome> {
  await unit((op, template) =>
    templateRecord.fail(op, template, { generation: desired.generation, ...why }),
  )
  return atOnce
}

async function removeVolume(
  { cluster, reference, waitMs }: ReconcileContext,
  uid: string,
): Promise<Outcome> {
  await cluster.writer.deleteObject('dataVolume', reference, uid)
  return { again: { afterMs: waitMs } }
}

async function applyVolume(context: ReconcileContext, isRepeated = false): Promise<Outcome> {
  const { unit, desired, cluster, reference, defaultClass, allowPrivate, waitMs } = context
  const { tenantId, rowId, image, isoSizeGi, generation } = desired
  try {
    // The egress policy must exist before the importer that it restricts.
    if (!allowPrivate) {
      const { bounds } = requireFirewallSettings(context.firewallSettings)
      await cluster.writer.applyObject(
        importEgressPolicy({ tenantId, namespace: reference.namespace, bounds }),
      )
    }
    const { uid } = await cluster.writer.applyObject({
      noun: 'dataVolume',
      ...reference,
      tenantId,
      rowId,
      uid: null,
      spec: {
        source: { kind: 'http', url: image },
        sizeGi: isoSizeGi,
        storageClass: desired.storageClass ?? defaultClass,
        // A template must be ready before its first VM, even in classes that wait for the first
        // consumer.
        immediate: true,
      },
    })
    await unit((op, template) => templateRecord.volumeCreated(op, template, { generation, uid }))
    return { again: { afterMs: waitMs } }
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
    if (error.trouble !== 'refused') return fail(context, refusalOf(error.trouble))
    // The remains may have gone since the refusal, so the volume is created once more without them.
    return (
      (await removeRemains(context)) ??
      (isRepeated ? fail(context, refusalOf('refused')) : applyVolume(context, true))
    )
  }
}

/**
 * Removes the remains of an earlier import: first the volume, then its claim. A volume cannot be
 * changed, and cannot be created beside a claim of the same name. Returns null when nothing
 * remains.
 */
async function removeRemains(context: ReconcileContext): Promise<Outcome | null> {
  const { desired, cluster, reference, observed, waitMs } = context
  if (observed) return removeVolume(context, observed.uid)
  const claim = await cluster.reader.getClaim(reference)
  if (!claim) return null
  if (claim.rowId !== desired.rowId) return fail(context, { reason: 'name_in_use' })
  return { again: { afterMs: waitMs } }
}

const refusalOf = (
  trouble: ClusterError['trouble'],
): { reason: ImportReason; code: FaultCode } => ({
  reason: refusedBecause[trouble] ?? 'importer_missing',
  code: reactions[trouble].fault,
})

const refusedBecause: Readonly<Partial<Record<ClusterError['trouble'], ImportReason>>> = {
  quota_exceeded: 'no_space',
  name_taken: 'name_in_use',
  namespace_terminating: 'cancelled',
}
