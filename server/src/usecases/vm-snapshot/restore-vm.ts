import { Fault, notFound } from '../../engine/model/fault.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { invalid } from '../../engine/model/name.ts'
import { type VmSize, type VmView } from '../../domain/vm/vm.ts'
import { type VmSnapshotView } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { newId } from '../../runtime/ids.ts'
import { type Op } from '../../store/op.ts'
import { mustFit } from '../tenant/must-fit.ts'
import { mustHaveRoom } from '../tenant/must-have-room.ts'
import { type VolumeBounds } from '../volume/create-volume.ts'
import { answerWith, vmToChange } from '../vm/own-vm.ts'
import { type IdOrName } from '../one-name.ts'
import { type NamedVm } from '../vm/named-vm.ts'
import { mustBeUsable } from './must-be-usable.ts'
import { idOfVmSnapshot } from './named-vm-snapshot.ts'
import { disksOf, insertVmSnapshot } from './new-vm-snapshot.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface WantedRestore {
  vmId?: string | null
  vmName?: string | null
  snapshotId?: string | null
  snapshotName?: string | null
  /** Switch the machine off first; without, one that runs is refused. */
  stop?: boolean | null
  /** Keep how it is now in another snapshot before; so it is unless said otherwise. */
  safetySnapshot?: boolean | null
}

export interface RestoreAnswer {
  vm: VmView
  operation: OperationView
  /** In which the present is kept; null where nobody wanted that. */
  safetySnapshot: VmSnapshotView | null
}

type VmRow = Awaited<ReturnType<Op['vms']['get']>>
type SnapshotRow = Awaited<ReturnType<Op['vmSnapshots']['get']>>

/**
 * Asks for a machine to become what it was: its size at once, its disks by the operation that is
 * returned. It is off afterwards. Disks that are not in the snapshot stay as they are. The machine
 * is locked before the snapshot, and volumes come last, here and wherever several of them are.
 */
export async function restoreVm(
  op: Op,
  asked: WantedRestore,
  bounds: VolumeBounds,
): Promise<RestoreAnswer> {
  const { row: vm, mustAllow } = await vmToChange(op, await machineOf(op, asked))
  const snapshot = await op.vmSnapshots.get(await idOfVmSnapshot(op, snapshotIn(asked)))
  const present = await underWay(op, vm, snapshot)
  if (present) return present
  if (snapshot.vmId !== vm.id)
    throw invalid(
      asked.snapshotId ? 'snapshotId' : 'snapshotName',
      messageOf('vm_snapshot.of_other_vm', { vm: vm.name }),
    )
  await mustHaveRoom(op, vm.tenantId)
  mustBeUsable(snapshot)
  mustAllow('restore')
  if (vm.runUid && !asked.stop)
    throw new Fault('wrong_state', messageOf('vm_snapshot.vm_is_on', { name: vm.name }))
  await holdVolumes(op, vm, snapshot)
  const safetySnapshot =
    asked.safetySnapshot === false ? null : await keepPresent(op, { vm, snapshot }, bounds)
  const size = await sizeIn(op, { vm, snapshot }, bounds)
  op.vms.askPower(vm, 'off')
  op.vms.askRestore(vm, { snapshotId: snapshot.id, safetyId: safetySnapshot?.id ?? null, size })
  return { ...(await answerWith(op, vm, 'restore_vm')), safetySnapshot }
}

const snapshotIn = ({ snapshotId = null, snapshotName = null }: WantedRestore): IdOrName => ({
  id: snapshotId,
  name: snapshotName,
})

/**
 * Where no machine is named, the one that the snapshot is of; its snapshot is not locked for the
 * question, because the machine comes first.
 */
async function machineOf(op: Op, asked: WantedRestore): Promise<NamedVm> {
  const { vmId = null, vmName = null } = asked
  if (vmId || vmName) return { id: vmId, name: vmName }
  const id = await idOfVmSnapshot(op, snapshotIn(asked))
  const found = await op.reads.vmSnapshots.find(id)
  if (!found) throw notFound('VM snapshot', id)
  return { id: found.vmId }
}

/** The restore of the same that is promised already. */
async function underWay(op: Op, vm: VmRow, { id }: SnapshotRow): Promise<RestoreAnswer | null> {
  const open = await op.operations.unfinished('vm', vm.id)
  if (vm.restoreSnapshotId !== id || !open.some(({ kind }) => kind === 'restore_vm')) return null
  const safetySnapshot = vm.restoreSafetyId
    ? await op.reads.vmSnapshots.find(vm.restoreSafetyId)
    : null
  return { ...(await answerWith(op, vm, 'restore_vm')), safetySnapshot }
}

/**
 * What is in the snapshot has to be in the machine: what is elsewhere now, or gone, would be
 * overwritten there, or come back without an owner.
 */
async function holdVolumes(op: Op, vm: VmRow, { disks, name }: SnapshotRow): Promise<void> {
  const held = new Set((await op.reads.volumes.attachedTo([vm.id])).map(({ id }) => id))
  for (const { disk, volumeId, name: volume, included } of disks ?? []) {
    if (included && disk === 'iso' && !vm.isoInserted)
      throw new Fault('wrong_state', messageOf('vm_snapshot.iso_ejected', { name, vm: vm.name }))
    if (!included || volumeId === null) continue
    if (!held.has(volumeId))
      throw new Fault(
        'wrong_state',
        messageOf('vm_snapshot.volume_elsewhere', { volume, name, vm: vm.name }),
      )
    await op.volumes.get(volumeId)
  }
}

const mostName = 50

/** Its disks may be another number and size than in the snapshot that is brought back. */
async function keepPresent(
  op: Op,
  { vm, snapshot }: { vm: VmRow; snapshot: SnapshotRow },
  { quotaDefaults: defaults, storageClasses }: VolumeBounds,
): Promise<VmSnapshotView> {
  const suffix = `-${newId().slice(-6)}`
  const name =
    `before-${snapshot.name}`.slice(0, mostName - suffix.length).replace(/-+$/, '') + suffix
  await mustFit(op, { tenantId: vm.tenantId, defaults, asked: { snapshots: 1 } })
  const { vmSnapshot } = await insertVmSnapshot(op, vm, {
    name,
    origin: 'safety',
    disks: await disksOf(op, vm, storageClasses),
  })
  return vmSnapshot
}

/** Of the machine then; refused where there is no room for it now. */
async function sizeIn(
  op: Op,
  { vm, snapshot }: { vm: VmRow; snapshot: SnapshotRow },
  { quotaDefaults: defaults }: VolumeBounds,
): Promise<VmSize> {
  const { cpu, memoryMi, dedicatedCpu, serviceOfferingId = null } = snapshot
  const asked = { vcpus: Math.max(0, cpu - vm.cpu), memoryMi: Math.max(0, memoryMi - vm.memoryMi) }
  await mustFit(op, { tenantId: vm.tenantId, defaults, asked })
  return { cpu, memoryMi, dedicatedCpu, serviceOfferingId }
}
