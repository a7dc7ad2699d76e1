import { Fault } from '../../engine/model/fault.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm } from '../vm/named-vm.ts'
import { vmAfter, lockVm } from '../vm/lock-vm.ts'
import {
  type VolumeAnswer,
  type VolumeRow,
  respondWithOperation,
  mustAllowVolume,
  lockVolume,
} from './lock-volume.ts'
import { messageOf } from '../../engine/model/message.ts'

interface VolumeToAttach {
  id: string
  /** Exactly one of the two must be set. */
  vmId?: string | null
  vmName?: string | null
}

/**
 * Attaches a volume to a VM, which may be running. The VM is always locked before the volume. Of
 * two concurrent requests for one volume, the second therefore finds it attached.
 */
export async function attachVolume(op: Op, request: VolumeToAttach): Promise<VolumeAnswer> {
  const { row: vm, mustAllow } = await lockVm(op, vmFrom(request))
  const row = await lockVolume(op, request.id)
  if (row.vmId === vm.id && !row.deleteRequestedAt)
    return respondWithOperation(op, row, 'attach_volume')
  mustAllow('attachVolume')
  await recordAttachment(op, row, vm.id)
  op.vms.requestPartChange(vm)
  await vmAfter(op, vm)
  op.work.enqueue('vm', vm)
  return respondWithOperation(op, row, 'attach_volume')
}

const vmFrom = ({ vmId = null, vmName = null }: VolumeToAttach): NamedVm => ({
  id: vmId,
  name: vmName,
  fieldsOf: 'vm',
})

const maxVolumes = 64

/** Records that the volume is attached to the VM, if that is allowed. */
export async function recordAttachment(op: Op, row: VolumeRow, vmId: string): Promise<void> {
  mustAllowVolume('attach', row)
  if ((await op.reads.volumes.attachedTo([vmId])).length >= maxVolumes)
    throw new Fault('wrong_state', messageOf('volume.most_attached', { most: maxVolumes }))
  row.vmId = vmId
}
