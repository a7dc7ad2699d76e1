import { Fault } from '../../engine/model/fault.ts'
import { type Op } from '../../store/op.ts'
import { type NamedVm } from '../vm/named-vm.ts'
import { vmAfter, vmToChange } from '../vm/own-vm.ts'
import {
  type VolumeAnswer,
  type VolumeRow,
  answerWith,
  mustAllowVolume,
  volumeToChange,
} from './own-volume.ts'
import { messageOf } from '../../engine/model/message.ts'

interface VolumeToAttach {
  id: string
  /** One of the two. */
  vmId?: string | null
  vmName?: string | null
}

/**
 * Asks for a volume to be in a machine, also while that runs. The machine is locked before the
 * volume, here and wherever both are: two who want the same one wait for each other, and the second
 * finds it taken.
 */
export async function attachVolume(op: Op, asked: VolumeToAttach): Promise<VolumeAnswer> {
  const { row: vm, mustAllow } = await vmToChange(op, named(asked))
  const row = await volumeToChange(op, asked.id)
  if (row.vmId === vm.id && !row.deleteRequestedAt) return answerWith(op, row, 'attach_volume')
  mustAllow('attachVolume')
  await putInto(op, row, vm.id)
  op.vms.changeParts(vm)
  await vmAfter(op, vm)
  op.work.ring('vm', vm)
  return answerWith(op, row, 'attach_volume')
}

const named = ({ vmId = null, vmName = null }: VolumeToAttach): NamedVm => ({
  id: vmId,
  name: vmName,
})

const mostVolumes = 64

/** Writes down that the machine is to have the volume, where that can be. */
export async function putInto(op: Op, row: VolumeRow, vmId: string): Promise<void> {
  mustAllowVolume('attach', row)
  if ((await op.reads.volumes.attachedTo([vmId])).length >= mostVolumes)
    throw new Fault('wrong_state', messageOf('volume.most_attached', { most: mostVolumes }))
  row.vmId = vmId
}
