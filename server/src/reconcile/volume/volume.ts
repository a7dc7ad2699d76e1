import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { type DesiredDataVolume } from '../../cluster/desired/storage.ts'
import { stepFailpoint } from '../../domain/operation/kind.ts'
import { type OperationKind } from '../../domain/nouns.ts'
import { isAttached, isHeld } from '../../domain/volume/holder.ts'
import { nextStep, type VolumeStep } from '../../domain/volume/next-step.ts'
import { volumeName } from '../../domain/volume/object-names.ts'
import { type ObservedVolume } from '../../domain/volume/state.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { askDeadlineAfter } from '../ask-deadline.ts'
import { readIfServed } from '../obstacle.ts'
import { refusedWrite } from '../refused-write.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { isFinalRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  atOnce,
  outOfTime,
  waiting,
} from '../../engine/reconcile/reconciler.ts'
import * as volumeRecord from './volume-record.ts'
import { type VolumeTarget, type VolumeUnit } from './volume-record.ts'
import { messageOf } from '../../engine/model/message.ts'

interface VolumeReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  /** The delay between checks while the cluster carries out a change. */
  waitMs?: number
}

/**
 * Keeps a volume in the desired state. It is created once and is never silently recreated; it can
 * grow, and it is deleted at the end. Only the VM's reconciler attaches it, so that each VM object
 * has one writer. This reconciler observes the attachment and ends its operation.
 */
export function volumeReconciler({
  store,
  work,
  cluster,
  waitMs = 500,
}: VolumeReconcilerParts): Reconciler {
  const unitFor = fencedUnits({ store, work }, (op, id) => op.volumes.row(id))

  return {
    kind: 'volume',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const desired = await unit(volumeRecord.loadDesired)
      if (!desired) return done
      if (desired.isBeingReplaced) return waiting(deadlineCheckMs)
      const reference = { namespace: desired.namespace, name: volumeName(desired.rowId) }
      return askDeadlineAfter({
        lease,
        needsReview: desired.needsReview,
        expire: (attendance) => unit((op, volume) => volumeRecord.expire(op, volume, attendance)),
        block: (obstacle) => unit((op, volume) => volumeRecord.block(op, volume, obstacle)),
        async act() {
          const observed = await readObserved(cluster.reader, { ...desired, reference })
          const context = { unit, desired, observed, cluster, reference, waitMs }
          return take(nextStep(desired, observed), context)
        },
      })
    },
    gaveUp: (key, lease) =>
      unitFor(key, lease)((op, volume) => volumeRecord.fail(op, volume, outOfTime)),
  }
}

async function readObserved(
  reader: ClusterReader,
  {
    reference,
    vm,
    deleteRequested,
    clusterUid,
  }: VolumeTarget & Pick<ReconcileContext, 'reference'>,
): Promise<ObservedVolume> {
  const readVolume = () => reader.getDataVolume(reference)
  const [dataVolume, claim, holder] = await Promise.all([
    deleteRequested && clusterUid === null ? readIfServed(readVolume) : readVolume(),
    reader.getClaim(reference),
    vm && reader.getHolder({ ...vm, namespace: reference.namespace }, reference.name),
  ])
  return { dataVolume, claim, holder }
}

/** The interval at which deadlines are checked when no event arrives from the cluster. */
const deadlineCheckMs = 5_000

interface ReconcileContext {
  unit: VolumeUnit
  desired: VolumeTarget
  observed: ObservedVolume
  cluster: VolumeReconcilerParts['cluster']
  reference: { namespace: string; name: string }
  waitMs: number
}

async function take(step: VolumeStep, context: ReconcileContext): Promise<Outcome> {
  const { unit, desired, observed, cluster, reference, waitMs } = context
  switch (step.do) {
    case 'nothing':
      return done
    case 'wait':
      return waiting(waitMs)
    case 'observe':
      return observe(context)
    case 'removeVolume':
      await unit((op, volume) => volumeRecord.observe(op, volume, observed))
      await atStep(context, ['delete_volume', 'volume'], () =>
        cluster.writer.deleteObject('dataVolume', reference, step.uid),
      )
      return { again: { afterMs: waitMs } }
    case 'erase':
      await atStep(context, ['delete_volume', 'gone'], () => unit(volumeRecord.erase))
      return done
    case 'fail':
      await unit((op, volume) => volumeRecord.fail(op, volume, step))
      return atOnce
    case 'recordGrown': {
      const { sizeGi } = desired
      await atStep(context, ['resize_volume', 'grown'], () =>
        unit((op, volume) => volumeRecord.grown(op, volume, { sizeGi, observed })),
      )
      return atOnce
    }
    default:
      return takeCreateStep(step, context)
  }
}

type CreateStep = Extract<VolumeStep, { do: 'applyVolume' | 'open' | 'grow' }>

async function takeCreateStep(step: CreateStep, context: ReconcileContext): Promise<Outcome> {
  const { unit, observed, waitMs } = context
  switch (step.do) {
    case 'applyVolume':
      await atStep(context, ['create_volume', 'volume'], () => applyVolume(context))
      return { again: { afterMs: waitMs } }
    case 'open':
      await atStep(context, ['create_volume', 'ready'], () =>
        unit((op, volume) => volumeRecord.opened(op, volume, observed)),
      )
      return atOnce
    case 'grow':
      await atStep(context, ['resize_volume', 'volume'], () => grow(context, step))
      return { again: { afterMs: waitMs } }
  }
}

/**
 * Runs a step of an open operation under its failpoint. Without an open operation the step has no
 * failpoint.
 */
const atStep = (
  { desired }: ReconcileContext,
  [kind, step]: readonly [OperationKind, string],
  act: () => Promise<unknown>,
): Promise<unknown> =>
  desired.open.includes(kind) ? atFailpoint(stepFailpoint(kind, step), act) : act()

async function applyVolume({ unit, desired, cluster, reference }: ReconcileContext): Promise<void> {
  const { tenantId, rowId } = desired
  try {
    const { uid } = await cluster.writer.applyObject({
      noun: 'dataVolume',
      ...reference,
      tenantId,
      rowId,
      uid: null,
      spec: desiredVolume(desired),
    })
    await unit((op, volume) => volumeRecord.applied(op, volume, uid))
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
    const why = refusedWrite(error, messageOf('volume.make_refused'), {
      name_taken: messageOf('volume.name_in_use'),
    })
    await unit((op, volume) => volumeRecord.fail(op, volume, why))
  }
}

/**
 * Returns the desired DataVolume. It is not bound at once, so a class that waits for the first
 * consumer places it on the node of its first VM. A copy that need not be larger than its source
 * takes the size of the source.
 */
const desiredVolume = ({
  origin,
  namespace,
  sizeGi,
  storageClass,
}: VolumeTarget): DesiredDataVolume => ({
  source: origin ? { kind: 'volumeSnapshot', namespace, name: origin.object } : { kind: 'blank' },
  sizeGi: origin && origin.sizeGi >= sizeGi ? null : sizeGi,
  storageClass,
  immediate: false,
})

async function grow(
  { unit, desired, cluster, reference }: ReconcileContext,
  { uid, bytes }: Extract<VolumeStep, { do: 'grow' }>,
): Promise<void> {
  const { tenantId, rowId } = desired
  try {
    await cluster.writer.growVolume({ ...reference, tenantId, rowId, uid }, bytes)
    await unit(volumeRecord.growing)
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
    const why = refusedWrite(error, messageOf('volume.growth_refused'))
    await unit((op, volume) => volumeRecord.refuseGrowth(op, volume, why))
  }
}

/**
 * Records the observed state. When that completes an operation, it is the last step of the
 * operation.
 */
async function observe(context: ReconcileContext): Promise<Outcome> {
  const { unit, desired, observed, waitMs } = context
  const attachKind = desired.vmId === null ? 'detach_volume' : 'attach_volume'
  if (desired.open.includes(attachKind) && isInSpec(desired, observed))
    await atFailpoint(stepFailpoint(attachKind, 'vm'), () =>
      unit((op, volume) => volumeRecord.specApplied(op, volume, attachKind)),
    )
  const write = (): Promise<void> =>
    unit((op, volume) => volumeRecord.observe(op, volume, observed))
  const isSettled = desired.vmId === null ? !isHeld(observed.holder) : isAttached(observed.holder)
  if (isSettled)
    await atStep(context, [attachKind, desired.vmId === null ? 'detached' : 'attached'], write)
  else await write()
  if (desired.open.some((kind) => kind !== attachKind)) return waiting(waitMs)
  if (isSettled) return done
  // No event of the VM makes its volumes due.
  return { again: { afterMs: desired.open.length > 0 ? waitMs : deadlineCheckMs } }
}

const isInSpec = ({ vmId }: VolumeTarget, { holder }: ObservedVolume): boolean =>
  vmId === null ? holder === null || !holder.isInSpec : holder?.isInSpec === true
