import { Fault } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type VolumeView } from '../../domain/volume/volume.ts'
import { type Op } from '../../store/op.ts'
import { idOfVm } from '../vm/named-vm.ts'
import { vmAfter, lockVm } from '../vm/lock-vm.ts'
import {
  type VolumeAnswer,
  respondWithOperation,
  mustAllowVolume,
  lockVolume,
} from './lock-volume.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface VolumeToDetach {
  id: string
  /** The VM to which the client believes the volume is attached. */
  vmName?: string | null
}

/**
 * Detaches a volume from its VM. Its data remains. A repeated request returns the open operation.
 */
export async function detachVolume(op: Op, request: VolumeToDetach): Promise<VolumeAnswer> {
  mustBeDetachable(request.id)
  const unlocked = await op.reads.volumes.find(request.id)
  if (unlocked && request.vmName) await mustBeIn(op, unlocked, request.vmName)
  // The VM is locked before the volume, as in an attachment.
  const vm = unlocked?.vmId ? await lockVm(op, { id: unlocked.vmId }) : null
  const row = await lockVolume(op, request.id)
  if (row.vmId === null && row.heldBy !== null && !row.deleteRequestedAt)
    return respondWithOperation(op, row, 'detach_volume')
  mustAllowVolume('detach', row)
  vm?.mustAllow('detachVolume')
  row.vmId = null
  if (vm) {
    op.vms.requestPartChange(vm.row)
    await vmAfter(op, vm.row)
    op.work.enqueue('vm', vm.row)
  }
  return respondWithOperation(op, row, 'detach_volume')
}

/** A VM's own disks are not volumes. Clients name them by their position in the VM. */
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
  // The rule of the action refuses a volume that is attached nowhere.
  if (vmId === null && heldBy === null) return
  if (id !== vmId && id !== heldBy)
    throw new Fault('wrong_state', messageOf('volume.not_of_vm', { name, vm: vmName }))
}
