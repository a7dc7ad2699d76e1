import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type VolumeView } from '../../domain/volume/volume.ts'
import { type Op } from '../../store/op.ts'
import { idOfVm } from '../vm/named-vm.ts'
import { vmAfter, vmToChange } from '../vm/own-vm.ts'
import { type VolumeAnswer, answerWith, mustAllowVolume, volumeToChange } from './own-volume.ts'

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
const ownDisks: ReadonlyMap<string, string> = new Map([
  ['root', 'is the disk that the VM boots from, which stays in it for life; delete the VM instead'],
  ['iso', 'is the ISO that the VM is installed from; eject it instead (ejectVmIso)'],
  ['cloudinit', 'is what the guest is set up from at each start, which stays in the VM'],
])

function mustBeDetachable(id: string): void {
  const why = ownDisks.get(id.toLowerCase())
  if (why !== undefined) throw invalid('id', why)
}

async function mustBeIn(op: Op, { name, vmId, heldBy }: VolumeView, vmName: string): Promise<void> {
  const id = await idOfVm(op, { name: vmName })
  if (id !== vmId && id !== heldBy)
    throw new Fault('wrong_state', `Volume ${name} is not attached to VM ${vmName}.`)
}
