import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { stepFailpoint } from '../../domain/operation/kind.ts'
import { vmObjectNames } from '../../domain/vm/object-names.ts'
import { type RestoreStep, nextRestoreStep } from '../../domain/vm/restore-step.ts'
import { type ObservedVm } from '../../domain/vm/observed.ts'
import { vmSnapshotName } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { refusedWrite } from '../refused-write.ts'
import { isFinalRefusal } from '../../engine/reconcile/outage.ts'
import { type Outcome, atOnce, waiting } from '../../engine/reconcile/reconciler.ts'
import * as vmRecord from './vm-record.ts'
import { type VmTarget, type VmUnit } from './vm-record.ts'
import * as restoreRecord from './vm-restore-record.ts'
import { type RestoreTarget, dataVolumeOf } from './vm-restore-record.ts'
import { messageOf } from '../../engine/model/message.ts'

interface RestoreContext {
  unit: VmUnit
  desired: VmTarget
  observed: ObservedVm | null
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  waitMs: number
}

/**
 * Restores a VM from a snapshot, under the VM's own work key. The VM is therefore not applied at
 * the same time. Returns null while the restore only waits for the VM to be off.
 */
export async function restoreVm(context: RestoreContext): Promise<Outcome | null> {
  const { desired, observed, cluster } = context
  const { restore, namespace, rowId } = desired
  if (!restore || !observed) return null
  const reference = { namespace, name: vmObjectNames.restore(rowId) }
  const isOff = observed.vmi === null && observed.runStrategy === 'Halted'
  const step = nextRestoreStep(restore, {
    isOff,
    restore: await cluster.reader.getVmRestore(reference),
  })
  return take(step, { ...context, restore, reference })
}

interface RestoreStepContext extends RestoreContext {
  restore: RestoreTarget
  reference: { namespace: string; name: string }
}

async function take(step: RestoreStep, context: RestoreStepContext): Promise<Outcome | null> {
  const { unit, restore, observed, cluster, reference, waitMs } = context
  const { id } = restore
  switch (step.do) {
    case 'waitForOff':
      return null
    case 'wait':
      return waiting(waitMs)
    case 'recordOff':
      await atFailpoint(stepFailpoint('restore_vm', 'off'), () =>
        unit(async (op, vm) => {
          await vmRecord.observe(op, vm, observed)
          await restoreRecord.advance(op, vm, { id, step: 'off', next: 'safety' })
        }),
      )
      return atOnce
    case 'recordSafe':
      await atFailpoint(stepFailpoint('restore_vm', 'safety'), () =>
        unit((op, vm) => restoreRecord.advance(op, vm, { id, step: 'safety', next: 'disks' })),
      )
      return atOnce
    case 'begin':
      await atFailpoint(stepFailpoint('restore_vm', 'disks'), () => begin(context))
      return { again: { afterMs: waitMs } }
    case 'finish':
      await atFailpoint(stepFailpoint('restore_vm', 'restored'), () =>
        unit((op, vm) => restoreRecord.finish(op, vm, restore)),
      )
      return atOnce
    case 'remove':
      await cluster.writer.deleteObject('vmRestore', reference, step.uid)
      return { again: { afterMs: waitMs } }
    case 'end':
      await unit((op, vm) => Promise.resolve(restoreRecord.end(op, vm, restore)))
      return atOnce
    case 'fail':
      await unit((op, vm) => restoreRecord.fail(op, vm, { ...step, id }))
      return atOnce
  }
}

async function begin({
  unit,
  desired,
  restore,
  cluster,
  reference,
}: RestoreStepContext): Promise<void> {
  const { id, snapshotId, disks } = restore
  const { tenantId, name: target, spec } = desired
  const volumes = Object.fromEntries(disks.map((disk) => [disk.disk, dataVolumeOf(spec, disk)]))
  try {
    await cluster.writer.applyObject({
      noun: 'vmRestore',
      ...reference,
      tenantId,
      rowId: id,
      uid: null,
      spec: { snapshot: vmSnapshotName(snapshotId), target, volumes },
    })
    await unit((op, vm) => restoreRecord.begun(op, vm, id))
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
    const why = refusedWrite(error, messageOf('vm.restore_refused'), {
      name_taken: messageOf('vm_snapshot.restore_name_in_use'),
    })
    await unit((op, vm) => restoreRecord.fail(op, vm, { id, ...why }))
  }
}
