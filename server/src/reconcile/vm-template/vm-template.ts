import { type ClusterReader } from '../../cluster/reader.ts'
import { ClusterError, reactions } from '../../engine/kube/cluster-error.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { type FaultCode } from '../../engine/model/fault.ts'
import { stepPoint } from '../../domain/operation/kind.ts'
import { isoVolumeName } from '../../domain/vm-template/iso-volume.ts'
import { type ImportReason, patience } from '../../domain/vm-template/import-failure.ts'
import { type TemplateStep, nextStep } from '../../domain/vm-template/next-step.ts'
import { type SeenDataVolume } from '../../domain/volume/data-volume.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { importWall } from '../cluster/import-egress-policy.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import { type Outcome, type Reconciler, done, atOnce } from '../../engine/reconcile/reconciler.ts'
import { type AskedImport, type TemplateUnit, templateRecord } from './vm-template-record.ts'

export interface VmTemplateReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  /**
   * Whether importers may reach the network that the cluster is in; see `import` in the
   * configuration.
   */
  allowPrivate: boolean
  /** The class of volumes whose template names none; null is the cluster's own choice. */
  defaultClass: string | null
  /** How soon to look again while the cluster is busy with what was asked. */
  waitMs?: number
  /** How often to look at an import that goes on. */
  pollMs?: number
}

/**
 * Keeps the volume of an imported template as it was asked: made once, given up on when it fails,
 * removed with the template.
 */
export function vmTemplateReconciler({
  waitMs = 500,
  pollMs = 2_000,
  ...parts
}: VmTemplateReconcilerParts): Reconciler {
  const { store, work, cluster, defaultClass, allowPrivate } = parts
  const unitFor = fencedUnits({ store, work }, (op, id) => op.vmTemplates.row(id))

  return {
    kind: 'vm_template',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const asked = await unit(templateRecord.askedOf)
      if (!asked) return done
      const place = { namespace: asked.namespace, name: isoVolumeName(key.objectId) }
      const taking = { unit, asked, cluster, place, defaultClass, allowPrivate, waitMs, pollMs }
      try {
        const seen = await cluster.reader.getDataVolume(place)
        return await take(nextStep(asked, seen, asked.waitedMs), { ...taking, seen })
      } catch (error) {
        // A cluster that does not know the kind may be in the middle of an upgrade; after a while
        // it is taken at its word.
        if (!(
          error instanceof ClusterError &&
          error.trouble === 'not_served' &&
          asked.waitedMs >= patience.importerMs
        ))
          throw error
        return fail({ ...taking, seen: null }, { reason: 'importer_missing' })
      }
    },
    gaveUp: (key, lease) => unitFor(key, lease)(templateRecord.giveUp),
  }
}

interface Taking {
  unit: TemplateUnit
  asked: AskedImport
  seen: SeenDataVolume | null
  cluster: VmTemplateReconcilerParts['cluster']
  place: { namespace: string; name: string }
  defaultClass: string | null
  allowPrivate: boolean
  waitMs: number
  pollMs: number
}

async function take(step: TemplateStep, taking: Taking): Promise<Outcome> {
  const { unit, asked, waitMs } = taking
  switch (step.do) {
    case 'nothing':
      return done
    case 'wait':
      return { again: { afterMs: waitMs } }
    case 'removeVolume': {
      const remove = () => removeVolume(taking, step.uid)
      return asked.deleteRequested
        ? atFailpoint(stepPoint('delete_vm_template', 'volume'), remove)
        : remove()
    }
    case 'erase':
      await atFailpoint(stepPoint('delete_vm_template', 'gone'), () => unit(templateRecord.erase))
      return done
    case 'fail':
      return fail(taking, step)
    default:
      return takeImport(step, taking)
  }
}

type ImportStep = Extract<
  TemplateStep,
  { do: 'begin' | 'applyVolume' | 'noteProgress' | 'noteTransferred' | 'open' }
>

async function takeImport(step: ImportStep, taking: Taking): Promise<Outcome> {
  const { unit, asked, pollMs } = taking
  const { generation } = asked
  switch (step.do) {
    case 'begin':
      await unit((op, template) => templateRecord.begin(op, template, generation))
      return atOnce
    case 'applyVolume':
      return atFailpoint(stepPoint('import_iso', 'volume'), () => applyVolume(taking))
    case 'noteProgress':
      await unit((op, template) =>
        templateRecord.progress(op, template, { generation, percent: step.percent }),
      )
      return { again: { afterMs: pollMs } }
    case 'noteTransferred':
      await atFailpoint(stepPoint('import_iso', 'import'), () =>
        unit((op, template) => templateRecord.transferred(op, template, generation)),
      )
      return atOnce
    case 'open':
      await atFailpoint(stepPoint('import_iso', 'ready'), () =>
        unit((op, template) => templateRecord.open(op, template, generation)),
      )
      return done
  }
}

/** Looks again at once: what is left of the import is to go. */
async function fail(
  { unit, asked }: Taking,
  why: { reason: ImportReason; code?: FaultCode },
): Promise<Outcome> {
  await unit((op, template) =>
    templateRecord.fail(op, template, { generation: asked.generation, ...why }),
  )
  return atOnce
}

async function removeVolume({ cluster, place, waitMs }: Taking, uid: string): Promise<Outcome> {
  await cluster.writer.deleteObject('dataVolume', place, uid)
  return { again: { afterMs: waitMs } }
}

async function applyVolume(taking: Taking): Promise<Outcome> {
  const { unit, asked, cluster, place, defaultClass, allowPrivate, waitMs } = taking
  const { tenantId, rowId, image, isoSizeGi, generation } = asked
  try {
    // First the wall, then who must not get through it.
    if (!allowPrivate)
      await cluster.writer.applyObject(importWall({ tenantId, namespace: place.namespace }))
    const { uid } = await cluster.writer.applyObject({
      noun: 'dataVolume',
      ...place,
      tenantId,
      rowId,
      uid: null,
      as: {
        source: { kind: 'http', url: image },
        sizeGi: isoSizeGi,
        storageClass: asked.storageClass ?? defaultClass,
        // A template is to be ready before its first VM, also where volumes wait for their first
        // use.
        immediate: true,
      },
    })
    await unit((op, template) => templateRecord.madeVolume(op, template, { generation, uid }))
    return { again: { afterMs: waitMs } }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return error.trouble === 'refused'
      ? clearTheWay(taking)
      : fail(taking, refusalOf(error.trouble))
  }
}

/**
 * A volume cannot be changed, nor be made beside a claim of its name: what is there of an import
 * that is over goes first, the claim after its volume.
 */
async function clearTheWay(taking: Taking): Promise<Outcome> {
  const { asked, cluster, place, seen, waitMs } = taking
  if (seen) return removeVolume(taking, seen.uid)
  const claim = await cluster.reader.getClaim(place)
  if (!claim) return fail(taking, refusalOf('refused'))
  if (claim.rowId !== asked.rowId)
    return fail(taking, { reason: 'importer_missing', code: 'cluster_name_conflict' })
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
  refused: 'unreachable',
  namespace_terminating: 'cancelled',
}
