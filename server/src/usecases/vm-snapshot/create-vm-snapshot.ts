import { Fault } from '../../engine/model/fault.ts'
import { requireSlug } from '../../engine/model/name.ts'
import { coverageRefusal } from '../../domain/vm-snapshot/machine-disks.ts'
import { type Op } from '../../store/op.ts'
import { type DueSchedule } from '../../store/vm-snapshot/snapshot-store.ts'
import { mustFit } from '../tenant/must-fit.ts'
import { mustHaveRoom } from '../tenant/must-have-room.ts'
import { vmToChange } from '../vm/own-vm.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { type VmSnapshotAnswer } from './delete-vm-snapshot.ts'
import { disksOf, insertVmSnapshot } from './new-vm-snapshot.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface NewVmSnapshot {
  vmId?: string | null
  vmName?: string | null
  name: string
  /** Also where disks will be missing in it. */
  acceptMissing?: boolean | null
  /** Which takes it, where nobody asks. */
  schedule?: DueSchedule | null
}

/**
 * Asks for how a machine is now to be kept, also while it runs: its guest is told to write down
 * what it knows where it has an agent. Without the storage for it a snapshot would lack disks,
 * which is told before and has to be accepted.
 */
export async function createVmSnapshot(
  op: Op,
  asked: NewVmSnapshot,
  bounds: VolumeBounds,
): Promise<VmSnapshotAnswer> {
  const name = requireSlug(asked.name, 'name')
  const { row, mustAllow } = await vmToChange(op, {
    id: asked.vmId ?? null,
    name: asked.vmName ?? null,
  })
  await mustHaveRoom(op, row.tenantId)
  mustAllow('snapshot')
  if (row.appliedGeneration < row.generation)
    throw new Fault('wrong_state', messageOf('vm.changing', { name: row.name }))
  const disks = await disksOf(op, row, bounds.storageClasses)
  const refusal = asked.acceptMissing ? null : coverageRefusal(row.name, disks)
  if (refusal) throw refusal
  if (await op.vmSnapshots.nameTaken(row.tenantId, name))
    throw new Fault('already_exists', messageOf('vm_snapshot.name_taken', { name }))
  await mustFit(op, {
    tenantId: row.tenantId,
    defaults: bounds.quotaDefaults,
    asked: { snapshots: 1 },
  })
  const answer = await insertVmSnapshot(op, row, {
    name,
    origin: 'asked',
    schedule: asked.schedule ?? null,
    disks,
  })
  op.audit.about('vm_snapshot', { id: answer.vmSnapshot.id, name, tenantId: row.tenantId })
  return answer
}
