import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type VolumeView } from '../../domain/volume/volume.ts'
import { type Op } from '../../store/op.ts'
import { idOfVm } from '../vm/named-vm.ts'
import { vmAfter, vmToChange } from '../vm/own-vm.ts'
import { type VolumeAnswer, answerWith, mustAllowVolume, volumeToChange } from './own-volume.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface VolumeToDetach {
  id: string
  /** Where whoever asks believes it to be. */
  vmName?: string | null
}

/**
 * Asks for a volume to be taken out of its machine; what is on it stays. Asking again is answered
 * with the operation that is under way.
 */
export async function detachVolume(op: Op, asked: VolumeToDetach): Promise<VolumeAnswer> {
  mustBeDetachable(asked.id)
  const seen = await op.reads.volumes.find(asked.id)
  if (seen && asked.vmName) await mustBeIn(op, seen, asked.vmName)
  // The machine is locked before the volume, as in an attachment.
  const vm = seen?.vmId ? await vmToChange(op, { id: seen.vmId }) : null
  const row = await volumeToChange(op, asked.id)
  if (row.vmId === null && row.heldBy !== null && !row.deleteRequestedAt)
    return answerWith(op, row, 'detach_volume')
  mustAllowVolume('detach', row)
  vm?.mustAllow('detachVolume')
  row.vmId = null
  if (vm) {
    op.vms.changeParts(vm.row)
    await vmAfter(op, vm.row)
    op.work.ring('vm', vm.row)
  }
  return answerWith(op, row, 'detach_volume')
}

/** A machine's own disks are no volumes, and are called by their place in it. */
const ownDisks: ReadonlyMap<string, Message> = new Map([
  ['root', messageOf('volume.is_root_disk')],
  ['iso', messageOf('volume.is_iso')],
  ['cloudinit', messageOf('volume.is_cloud_init')],
])

function mustBeDetachable(id: string): void {
  const why = ownDisks.get(id.toLowerCase())
  if (why !== undefined) throw invalid('id', why)
}

async function mustBeIn(op: Op, { name, vmId, heldBy }: VolumeView, vmName: string): Promise<void> {
  const id = await idOfVm(op, { name: vmName })
  if (id !== vmId && id !== heldBy)
    throw new Fault('wrong_state', messageOf('volume.not_of_vm', { name, vm: vmName }))
}
