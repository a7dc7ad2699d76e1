import { Fault, transient } from '../../engine/model/fault.ts'
import { requireName } from '../../engine/model/name.ts'
import { coverageRefusal } from '../../domain/vm-snapshot/vm-disks.ts'
import { type Op } from '../../store/op.ts'
import { type DueSchedule } from '../../store/vm-snapshot/snapshot-store.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { mustHaveNamespace } from '../tenant/must-have-namespace.ts'
import { lockVm } from '../vm/lock-vm.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { type VmSnapshotAnswer } from './delete-vm-snapshot.ts'
import { disksOf, insertVmSnapshot } from './new-vm-snapshot.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CreateVmSnapshotRequest {
  vmId?: string | null
  vmName?: string | null
  name: string
  /** Take it even when it cannot cover all disks. */
  acceptMissing?: boolean | null
  /** The schedule that takes it; null for a request of a user. */
  schedule?: DueSchedule | null
}

/**
 * Requests a snapshot of a VM, which may be running. A guest agent is asked to flush the file
 * systems first. Disks whose storage has no snapshots would be missing, so the user must accept
 * that beforehand.
 */
export async function createVmSnapshot(
  op: Op,
  request: CreateVmSnapshotRequest,
  bounds: VolumeBounds,
): Promise<VmSnapshotAnswer> {
  const name = requireName(request.name, 'name')
  const { row, mustAllow } = await lockVm(op, {
    id: request.vmId ?? null,
    name: request.vmName ?? null,
    fieldsOf: 'vm',
  })
  await mustHaveNamespace(op, row.tenantId)
  mustAllow('snapshot')
  await mustBeApplied(op, row)
  const disks = await disksOf(op, row, bounds.storageClasses)
  const refusal = request.acceptMissing ? null : coverageRefusal(row.name, disks)
  if (refusal) throw refusal
  const taken = await op.vmSnapshots.takenName(row.tenantId, name)
  if (taken) throw new Fault('already_exists', messageOf('vm_snapshot.name_taken', { name }), taken)
  await mustFitQuota(op, {
    tenantId: row.tenantId,
    defaults: bounds.quotaDefaults,
    requested: { snapshots: 1 },
  })
  const answer = await insertVmSnapshot(op, row, {
    name,
    origin: 'asked',
    schedule: request.schedule ?? null,
    disks,
  })
  op.audit.setTarget('vm_snapshot', { id: answer.vmSnapshot.id, name, tenantId: row.tenantId })
  return answer
}

/**
 * Refuses a VM of which the cluster lacks a change. The change only arrives by itself while its
 * operation is open: the cluster may have refused it.
 */
async function mustBeApplied(
  op: Op,
  { id, name, generation, appliedGeneration }: Awaited<ReturnType<typeof lockVm>>['row'],
): Promise<void> {
  if (appliedGeneration >= generation) return
  const { volumes } = op.reads
  const used = [...(await volumes.attachedTo([id])), ...(await volumes.heldBy(id))]
  const open = await op.operations.unfinished('vm', id)
  for (const volume of used) open.push(...(await op.operations.unfinished('volume', volume.id)))
  throw open.length > 0
    ? new Fault('wrong_state', messageOf('vm.changing', { name }), transient)
    : new Fault('wrong_state', messageOf('vm.change_unapplied', { name }))
}
