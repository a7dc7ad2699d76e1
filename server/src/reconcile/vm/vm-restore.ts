import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { reactions } from '../../engine/kube/cluster-error.ts'
import { stepPoint } from '../../domain/operation/kind.ts'
import { vmParts } from '../../domain/vm/parts.ts'
import { type RestoreStep, nextRestoreStep } from '../../domain/vm/restore-step.ts'
import { type SeenVm } from '../../domain/vm/seen.ts'
import { vmSnapshotName } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import { type Outcome, atOnce } from '../../engine/reconcile/reconciler.ts'
import * as vmRecord from './vm-record.ts'
import { type AskedVm, type VmUnit } from './vm-record.ts'
import * as restoreRecord from './vm-restore-record.ts'
import { type RestoreToKeep, dataVolumeOf } from './vm-restore-record.ts'
import { messageOf } from '../../engine/model/message.ts'

interface Restoring {
  unit: VmUnit
  asked: AskedVm
  seen: SeenVm | null
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  waitMs: number
}

/**
 * Brings a machine back to a snapshot, under the key of the machine: so whoever tells the cluster
 * what the machine is does not do so meanwhile. Null while there is nothing to be done but to wait
 * until it is off.
 */
export async function bringBack(restoring: Restoring): Promise<Outcome | null> {
  const { asked, seen, cluster } = restoring
  const { restore, namespace, rowId } = asked
  if (!restore || !seen) return null
  const place = { namespace, name: vmParts.restore(rowId) }
  const isOff = seen.instance === null && seen.runStrategy === 'Halted'
  const step = nextRestoreStep(restore, {
    isOff,
    restore: await cluster.reader.getVmRestore(place),
  })
  return take(step, { ...restoring, restore, place })
}

interface Taking extends Restoring {
  restore: RestoreToKeep
  place: { namespace: string; name: string }
}

async function take(step: RestoreStep, taking: Taking): Promise<Outcome | null> {
  const { unit, restore, seen, cluster, place, waitMs } = taking
  const { id } = restore
  switch (step.do) {
    case 'waitForOff':
      return null
    case 'wait':
      return { again: { afterMs: waitMs } }
    case 'noteOff':
      await atFailpoint(stepPoint('restore_vm', 'off'), () =>
        unit(async (op, vm) => {
          await vmRecord.observe(op, vm, seen)
          await restoreRecord.passed(op, vm, { id, step: 'off', next: 'safety' })
        }),
      )
      return atOnce
    case 'noteSafe':
      await atFailpoint(stepPoint('restore_vm', 'safety'), () =>
        unit((op, vm) => restoreRecord.passed(op, vm, { id, step: 'safety', next: 'disks' })),
      )
      return atOnce
    case 'begin':
      await atFailpoint(stepPoint('restore_vm', 'disks'), () => begin(taking))
      return { again: { afterMs: waitMs } }
    case 'finish':
      await atFailpoint(stepPoint('restore_vm', 'restored'), () =>
        unit((op, vm) => restoreRecord.finish(op, vm, restore)),
      )
      return atOnce
    case 'remove':
      await cluster.writer.deleteObject('vmRestore', place, step.uid)
      return { again: { afterMs: waitMs } }
    case 'end':
      await unit((op, vm) => Promise.resolve(restoreRecord.end(op, vm, restore)))
      return atOnce
    case 'fail':
      await unit((op, vm) => restoreRecord.fail(op, vm, { ...step, id }))
      return atOnce
  }
}

async function begin({ unit, asked, restore, cluster, place }: Taking): Promise<void> {
  const { id, snapshotId, disks } = restore
  const { tenantId, rowId, name: target } = asked
  const volumes = Object.fromEntries(disks.map((disk) => [disk.disk, dataVolumeOf(rowId, disk)]))
  try {
    await cluster.writer.applyObject({
      noun: 'vmRestore',
      ...place,
      tenantId,
      rowId: id,
      uid: null,
      as: { snapshot: vmSnapshotName(snapshotId), target, volumes },
    })
    await unit((op, vm) => restoreRecord.begun(op, vm, id))
  } catch (error) {
    if (!isRefusal(error)) throw error
    const detail = messageOf('vm.restore_refused')
    await unit((op, vm) =>
      restoreRecord.fail(op, vm, { id, code: reactions[error.trouble].fault, detail }),
    )
  }
}
