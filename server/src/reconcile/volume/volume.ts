import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { reactions } from '../../engine/kube/cluster-error.ts'
import { type WantedDataVolume } from '../../cluster/desired/storage.ts'
import { stepPoint } from '../../domain/operation/kind.ts'
import { type OperationKind } from '../../domain/nouns.ts'
import { hasArrived, isHeld } from '../../domain/volume/holder.ts'
import { nextStep, type VolumeStep } from '../../domain/volume/next-step.ts'
import { volumeName } from '../../domain/volume/parts.ts'
import { type SeenVolume } from '../../domain/volume/state.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  atOnce,
  outOfTime,
} from '../../engine/reconcile/reconciler.ts'
import * as volumeRecord from './volume-record.ts'
import { type VolumeToKeep, type VolumeUnit } from './volume-record.ts'
import { messageOf } from '../../engine/model/message.ts'

interface VolumeReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  /** How soon to look again while the cluster is busy with what was asked. */
  waitMs?: number
}

/**
 * Keeps a volume as it was asked: made once, never silently made again, grown, and removed. Which
 * machine it is in is told to the cluster by whoever keeps that machine, so that a machine has one
 * author; here it is seen, and what was promised of it ends.
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
      const asked = await unit(volumeRecord.askedOf)
      if (!asked) return done
      if (asked.isBeingReplaced) return { again: { afterMs: patienceMs } }
      const place = { namespace: asked.namespace, name: volumeName(asked.rowId) }
      const [filling, claim, holder] = await Promise.all([
        cluster.reader.getDataVolume(place),
        cluster.reader.getClaim(place),
        asked.vm
          ? cluster.reader.getHolder({ ...asked.vm, namespace: asked.namespace }, place.name)
          : null,
      ])
      const seen = { filling, claim, holder }
      return take(nextStep(asked, seen), { unit, asked, seen, cluster, place, waitMs })
    },
    gaveUp: (key, lease) =>
      unitFor(key, lease)((op, volume) => volumeRecord.fail(op, volume, outOfTime)),
  }
}

/** So late may be noticed that a deadline has passed, where nothing happens in the cluster. */
const patienceMs = 5_000

interface Taking {
  unit: VolumeUnit
  asked: VolumeToKeep
  seen: SeenVolume
  cluster: VolumeReconcilerParts['cluster']
  place: { namespace: string; name: string }
  waitMs: number
}

async function take(step: VolumeStep, taking: Taking): Promise<Outcome> {
  const { unit, asked, seen, cluster, place, waitMs } = taking
  switch (step.do) {
    case 'nothing':
      return done
    case 'wait':
      return { again: { afterMs: waitMs } }
    case 'observe':
      return observe(taking)
    case 'removeVolume':
      await unit((op, volume) => volumeRecord.observe(op, volume, seen))
      await whilePromised(taking, ['delete_volume', 'volume'], () =>
        cluster.writer.deleteObject('dataVolume', place, step.uid),
      )
      return { again: { afterMs: waitMs } }
    case 'erase':
      await whilePromised(taking, ['delete_volume', 'gone'], () => unit(volumeRecord.erase))
      return done
    case 'fail':
      await unit((op, volume) => volumeRecord.fail(op, volume, step))
      return atOnce
    case 'noteGrown': {
      const { sizeGi } = asked
      await whilePromised(taking, ['resize_volume', 'grown'], () =>
        unit((op, volume) => volumeRecord.grown(op, volume, { sizeGi, seen })),
      )
      return atOnce
    }
    default:
      return make(step, taking)
  }
}

type MakingStep = Extract<VolumeStep, { do: 'applyVolume' | 'open' | 'grow' }>

async function make(step: MakingStep, taking: Taking): Promise<Outcome> {
  const { unit, seen, waitMs } = taking
  switch (step.do) {
    case 'applyVolume':
      await whilePromised(taking, ['create_volume', 'volume'], () => applyVolume(taking))
      return { again: { afterMs: waitMs } }
    case 'open':
      await whilePromised(taking, ['create_volume', 'ready'], () =>
        unit((op, volume) => volumeRecord.opened(op, volume, seen)),
      )
      return atOnce
    case 'grow':
      await whilePromised(taking, ['resize_volume', 'volume'], () => grow(taking, step))
      return { again: { afterMs: waitMs } }
  }
}

/**
 * A step of an operation, as long as that is open; what is left to do without one has no failpoint.
 */
const whilePromised = (
  { asked }: Taking,
  [kind, step]: readonly [OperationKind, string],
  act: () => Promise<unknown>,
): Promise<unknown> => (asked.open.includes(kind) ? atFailpoint(stepPoint(kind, step), act) : act())

async function applyVolume({ unit, asked, cluster, place }: Taking): Promise<void> {
  const { tenantId, rowId } = asked
  try {
    const { uid } = await cluster.writer.applyObject({
      noun: 'dataVolume',
      ...place,
      tenantId,
      rowId,
      uid: null,
      as: wantedVolume(asked),
    })
    await unit((op, volume) => volumeRecord.applied(op, volume, uid))
  } catch (error) {
    const code = faultForEver(error)
    await unit((op, volume) =>
      volumeRecord.fail(op, volume, {
        code,
        detail: messageOf('volume.make_refused'),
      }),
    )
  }
}

/**
 * It lies where its first machine runs, in a class that can wait for that. A copy that is to be no
 * larger takes the size that it is a copy of.
 */
const wantedVolume = ({
  origin,
  namespace,
  sizeGi,
  storageClass,
}: VolumeToKeep): WantedDataVolume => ({
  source: origin ? { kind: 'volumeSnapshot', namespace, name: origin.object } : { kind: 'blank' },
  sizeGi: origin && origin.sizeGi >= sizeGi ? null : sizeGi,
  storageClass,
  immediate: false,
})

async function grow(
  { unit, asked, cluster, place }: Taking,
  { uid, bytes }: Extract<VolumeStep, { do: 'grow' }>,
): Promise<void> {
  const { tenantId, rowId } = asked
  try {
    await cluster.writer.growVolume({ ...place, tenantId, rowId, uid }, bytes)
    await unit(volumeRecord.growing)
  } catch (error) {
    const code = faultForEver(error)
    const detail = messageOf('volume.growth_refused')
    await unit((op, volume) => volumeRecord.refuseGrowth(op, volume, { code, detail }))
  }
}

/** What the cluster will never take; everything else is tried again until the deadline. */
function faultForEver(error: unknown) {
  if (isRefusal(error)) return reactions[error.trouble].fault
  throw error
}

/**
 * Writes down what was seen; where that is what was promised, it is the last step of the promise.
 */
async function observe(taking: Taking): Promise<Outcome> {
  const { unit, asked, seen, waitMs } = taking
  const wish = asked.vmId === null ? 'detach_volume' : 'attach_volume'
  if (asked.open.includes(wish) && isTold(asked, seen))
    await atFailpoint(stepPoint(wish, 'machine'), () =>
      unit((op, volume) => volumeRecord.told(op, volume, wish)),
    )
  const write = (): Promise<void> => unit((op, volume) => volumeRecord.observe(op, volume, seen))
  const isSettled = asked.vmId === null ? !isHeld(seen.holder) : hasArrived(seen.holder)
  if (isSettled)
    await whilePromised(taking, [wish, asked.vmId === null ? 'detached' : 'attached'], write)
  else await write()
  if (asked.open.some((kind) => kind !== wish)) return { again: { afterMs: waitMs } }
  if (isSettled) return done
  return { again: { afterMs: asked.open.length > 0 ? waitMs : patienceMs } }
}

const isTold = ({ vmId }: VolumeToKeep, { holder }: SeenVolume): boolean =>
  vmId === null ? holder === null || !holder.isDescribed : holder?.isDescribed === true
