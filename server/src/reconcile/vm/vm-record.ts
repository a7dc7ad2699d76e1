import { type FaultCode } from '../../engine/model/fault.ts'
import { type OperationKind } from '../../domain/nouns.ts'
import { rewirings } from '../../domain/nic/rewiring.ts'
import { nicName } from '../../domain/nic/nic.ts'
import { type SeenVm } from '../../domain/vm/seen.ts'
import {
  type Arrival,
  type Wished,
  arrivalsIn,
  isPastWishing,
  wishKindOf,
  wishKinds,
} from '../../domain/vm/wish.ts'
import { type Op } from '../../store/op.ts'
import { type MadeOfVm, type SeenOfVm } from '../../store/vm/vm.ts'
import { type Unit } from '../fenced-unit.ts'
import { isNews } from '../../engine/reconcile/news.ts'
import { Promises } from '../promise.ts'
import { noteVmEvent } from './vm-event-note.ts'
import * as restoreRecord from './vm-restore-record.ts'
import { type VmRow, foundOf } from './vm-found.ts'
import * as vmFirewallRecord from '../vm-guard/vm-guard-record.ts'
import { type AppliedGuard } from '../vm-guard/vm-guard-record.ts'
import * as vmRewiring from './vm-rewiring.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export type VmUnit = Unit<VmRow>
export type AskedVm = NonNullable<Awaited<ReturnType<typeof askedOf>>>

type NicPlugs = Awaited<ReturnType<Op['reads']['nics']['plugsOf']>>

const operationsOn = (op: Op, { id }: Pick<VmRow, 'id'>): Promise<Promises> =>
  Promises.on(op, { kind: 'vm', id })

/** Loads the VM row and its open operations in one round trip. */
export async function read(op: Op, id: string): Promise<VmRow | null> {
  const [vm] = await Promise.all([op.vms.row(id), operationsOn(op, { id })])
  return vm
}

function recordChange(op: Op, { id, version, tenantId }: VmRow): void {
  op.changes.note('vm', { id, version: version + 1, tenantId })
}

/** Loads the desired state, and first ends operations that are past their deadline. */
export async function askedOf(op: Op, vm: VmRow | null) {
  if (!vm) return null
  const [tenant, operations, parts] = await Promise.all([
    op.reads.tenants.find(vm.tenantId),
    operationsOn(op, vm),
    loadUnappliedParts(op, vm),
  ])
  if (!tenant) return null
  if (!vm.goneAt) {
    begin(operations, vm)
    await expire(op, operations, vm)
  }
  const goneForMs = vm.goneAt ? Date.parse(op.operations.now) - Date.parse(vm.goneAt) : null
  const location = { namespace: tenant.namespace, goneForMs, ...parts }
  const volumesAreComing = vm.copiedFrom && !vm.clusterUid ? await haveVolumesToCome(op, vm) : false
  const restore = await restoreRecord.askedOf(op, vm, operations)
  const details = {
    restore,
    volumesAreComing,
    rewiring: await vmRewiring.askedOf(op, vm, operations),
    now: op.operations.now,
  }
  return {
    ...identityOf(vm),
    ...location,
    ...desiredStateOf(vm, operations),
    ...details,
    userData: () => op.vms.userDataOf(vm),
  }
}

/**
 * Loads volumes and NICs of a VM whose latest generation is not applied. All other VMs need
 * neither.
 */
async function loadUnappliedParts(
  op: Op,
  { id, generation, appliedGeneration }: VmRow,
): Promise<{ volumeIds: string[]; nics: NicPlugs }> {
  if (appliedGeneration === generation) return { volumeIds: [], nics: [] }
  const [volumes, nics] = await Promise.all([
    op.reads.volumes.attachedTo([id]),
    op.reads.nics.plugsOf(id),
  ])
  return { volumeIds: volumes.map((volume) => volume.id), nics }
}

/** True while volumes of a cloned VM are being created. */
const haveVolumesToCome = async (op: Op, { id }: VmRow): Promise<boolean> =>
  (await op.reads.volumes.attachedTo([id])).some(({ state }) => state === 'creating')

const identityOf = ({ id, tenantId, name, clusterUid, secretUid, diskUid, isoUid }: VmRow) => ({
  rowId: id,
  tenantId,
  name,
  clusterUid: clusterUid ?? null,
  secretUid: secretUid ?? null,
  diskUid: diskUid ?? null,
  isoUid: isoUid ?? null,
})

export const wishedOf = ({
  wantedPower,
  runWish: vmiCommand,
  runWishUid: vmiCommandUid,
}: VmRow): Wished => ({
  wantedPower,
  runWish: vmiCommand ?? null,
  runWishUid: vmiCommandUid ?? null,
})

/** The operations that end when the spec is applied. */
const changes = ['resize_vm', 'eject_vm_iso'] as const

/** The operations on a VM that exists or is being created. */
const kindsThere = [
  'deploy_vm',
  'restore_vm',
  'set_vm_security_groups',
  ...changes,
  ...rewirings,
  ...wishKinds,
] as const

/** True when the spec in the cluster no longer contains the ISO. */
const hasIsoToRemove = ({ isoInserted, isoUid, appliedGeneration, generation }: VmRow): boolean =>
  !isoInserted && Boolean(isoUid) && appliedGeneration === generation

function desiredStateOf(vm: VmRow, operations: Promises) {
  const { generation, appliedGeneration, forced } = vm
  const { wantedPower, runWish: vmiCommand, runWishUid: vmiUid } = wishedOf(vm)
  const open = kindsThere.filter((kind) => operations.isOpen(kind))
  const isOpen = (...kinds: (typeof open)[number][]): boolean =>
    kinds.some((kind) => open.includes(kind))
  return {
    generation,
    appliedGeneration,
    spec: vm,
    open,
    isToStart: wantedPower === 'on' && isOpen('deploy_vm', 'start_vm', 'restart_vm'),
    hasIsoToRemove: hasIsoToRemove(vm),
    isToEndAtOnce: wantedPower === 'off' && forced && isOpen('stop_vm'),
    runWish:
      vmiCommand && vmiUid && isOpen(`${vmiCommand}_vm`)
        ? { wish: vmiCommand, runUid: vmiUid, forced }
        : null,
    isLeaving: Boolean(vm.deleteRequestedAt ?? vm.failedAt ?? vm.goneAt),
  }
}

/**
 * Ends overdue operations. A VM that was not ready in time is given up, with everything that was
 * created for it.
 */
async function expire(op: Op, operations: Promises, vm: VmRow): Promise<void> {
  const wasCreating = operations.isOpen('deploy_vm')
  const isLate = operations.expire() && wasCreating && !operations.isOpen('deploy_vm')
  if (!isLate || vm.deleteRequestedAt) return
  await giveUp(op, vm)
  recordChange(op, vm)
}

/**
 * Gives up a VM that could not be created. Its volumes are detached, and only volumes that were
 * copied for it are deleted.
 */
async function giveUp(op: Op, vm: VmRow): Promise<void> {
  op.vms.giveUp(vm)
  const dropped = await op.volumes.dropCopiesFor(vm.id)
  for (const volume of [...dropped, ...(await op.volumes.takeAllOutOf(vm.id))]) {
    op.changes.note('volume', volume)
    op.work.ring('volume', volume)
  }
}

function begin(operations: Promises, vm: VmRow): void {
  if (vm.deleteRequestedAt) {
    operations.supersedeAll('delete_vm')
    operations.begin('delete_vm', 'machine')
    return
  }
  // The latest request wins.
  const currentKind = wishKindOf(wishedOf(vm))
  for (const kind of wishKinds) if (kind !== currentKind) operations.supersede(kind, currentKind)
  operations.begin('deploy_vm', 'guard')
  operations.begin('set_vm_security_groups', 'guard')
  if (!operations.hasDone('restore_vm', 'off')) operations.begin('restore_vm', 'off')
  for (const kind of [...changes, ...rewirings, ...wishKinds] as const)
    operations.begin(kind, 'machine')
}

export interface MadeParts {
  firewall?: AppliedGuard
  settings?: Pick<MadeOfVm, 'secretUid' | 'keepsGuestState'>
  disk?: Pick<MadeOfVm, 'diskUid' | 'isoUid'>
}

/** Records the identities of the created parts before the VM is created from them. */
export async function made(
  op: Op,
  vm: VmRow | null,
  { firewall, settings, disk }: MadeParts,
): Promise<void> {
  if (!vm || vm.goneAt) return
  if (firewall) await vmFirewallRecord.applied(op, vm.id, firewall)
  op.vms.remember(vm, { ...settings, ...disk })
  const operations = await operationsOn(op, vm)
  if (settings) operations.finish('deploy_vm', 'settings')
  if (disk) operations.finish('deploy_vm', 'disk')
}

export async function applied(
  op: Op,
  vm: VmRow | null,
  { uid, generation }: { uid: string; generation: number },
): Promise<void> {
  if (!vm || vm.goneAt) return
  op.vms.remember(vm, { clusterUid: uid, appliedGeneration: generation })
  // A newer change is applied next, and that ends the operation.
  if (generation < vm.generation) return
  if (generation > 1) await enqueueVolumes(op, vm)
  const operations = await operationsOn(op, vm)
  for (const kind of ['deploy_vm', 'start_vm', 'stop_vm', ...changes, ...rewirings] as const)
    operations.finish(kind, 'machine')
  for (const kind of changes) operations.succeed(kind)
  await vmRewiring.told(op, vm, operations)
}

/**
 * Enqueues the volumes of the VM. While the VM is off, only its own object changes, so a volume
 * that a restore detached would not notice that it is attached again.
 */
async function enqueueVolumes(op: Op, { id }: VmRow): Promise<void> {
  // All volumes are enqueued: one that is being reconciled now may have read the old state.
  for (const volume of await op.reads.volumes.attachedTo([id])) op.work.ring('volume', volume)
}

/** Records that the cluster has accepted a power command. */
export async function ordered(op: Op, vm: VmRow | null, kind: OperationKind): Promise<void> {
  if (!vm || vm.goneAt) return
  const operations = await operationsOn(op, vm)
  operations.finish(kind, 'machine')
}

/** Records the observed state, and ends operations that have reached the desired state. */
export async function observe(op: Op, vm: VmRow | null, observed: SeenVm | null): Promise<void> {
  if (!vm || vm.goneAt) return
  const status = foundOf(vm, observed, op.operations.now)
  if (isNews(vm, status)) {
    await moveSsh(op, vm, status)
    await noteVmEvent(op, vm, { status, observed })
    op.vms.observe(vm, status)
    // The first generation has no NICs to release.
    if (vm.generation > 1 && vm.appliedGeneration === vm.generation)
      await releaseNics(op, vm, status)
    recordChange(op, vm)
  }
  if (!endsSomething(vm, status)) return
  const operations = await operationsOn(op, vm)
  if (status.state === 'Lost') operations.fail('conflict', messageOf('vm.removed_outside'))
  for (const arrival of arrivalsIn(wishedOf(vm), status)) arrive(operations, arrival)
  if (isPastWishing(wishedOf(vm), status)) operations.refuse(wishKindOf(wishedOf(vm)), tooLate)
}

/**
 * Enqueues SSH access when the addresses of the VM change. KubeVirt reports the addresses of an
 * ended VMI for a moment longer.
 */
async function moveSsh(op: Op, vm: VmRow, status: SeenOfVm): Promise<void> {
  const isElsewhere = JSON.stringify(vm.seenNics ?? null) !== JSON.stringify(status.seenNics)
  if (status.state === 'Stopped' ? vm.state !== 'Stopped' : isElsewhere) await enqueueSsh(op, vm)
}

async function enqueueSsh(op: Op, vm: VmRow): Promise<void> {
  if (await op.vmSsh.isKnown(vm.id)) op.work.ring('vm_ssh', vm)
}

/**
 * Releases NICs marked for removal that the running VMI does not have. A VM that is off releases
 * all of them.
 */
async function releaseNics(
  op: Op,
  { id, tenantId }: VmRow,
  { state, seenNics: observedNics }: SeenOfVm,
): Promise<void> {
  const present = (observedNics ?? []).map(({ name }) => name)
  const isKnown = state === 'Stopped' || (state === 'Running' && present.length > 0)
  if (!isKnown) return
  const gone = (await op.nics.ofVm(id)).filter(
    ({ isLeaving, ordinal }) => isLeaving && !present.includes(nicName(ordinal)),
  )
  if (gone.length === 0) return
  await op.nics.letGo(gone.map((nic) => nic.id))
  op.work.ring('vm_guard', await op.vmGuards.rewired({ id, tenantId }))
}

/** True when the status may end an operation. */
export function endsSomething(vm: VmRow, status: SeenOfVm): boolean {
  if (vm.appliedGeneration < vm.generation || vm.deleteRequestedAt) return false
  const desiredPower = wishedOf(vm)
  return (
    status.state === 'Lost' ||
    arrivalsIn(desiredPower, status).length > 0 ||
    isPastWishing(desiredPower, status)
  )
}

const tooLate = {
  code: 'conflict',
  detail: messageOf('vm.changed_meanwhile'),
} as const

function arrive(operations: Promises, { kind, step }: Arrival): void {
  // A guest may shut down by itself, before the command is sent.
  if (kind !== 'deploy_vm') operations.finish(kind, 'machine')
  operations.finish(kind, step)
  operations.succeed(kind)
}

export async function fail(
  op: Op,
  vm: VmRow | null,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  if (!vm || vm.goneAt || vm.deleteRequestedAt) return
  const operations = await operationsOn(op, vm)
  operations.fail(code, detail)
  // An existing VM stays as it is.
  if (!vm.clusterUid) await giveUp(op, vm)
  recordChange(op, vm)
}

/** Fails an operation that the cluster will never accept. The VM stays as it is. */
export async function refuse(
  op: Op,
  vm: VmRow | null,
  { kind, ...fault }: { kind: OperationKind; code: FaultCode; detail: Message },
): Promise<void> {
  if (!vm || vm.goneAt) return
  const operations = await operationsOn(op, vm)
  operations.refuse(kind, fault)
  recordChange(op, vm)
}

/** Records that the copy of the ISO is gone and uses no storage any more. */
export function isoRemoved(op: Op, vm: VmRow | null): void {
  if (!vm || vm.isoInserted || !vm.isoUid) return
  op.vms.remember(vm, { isoUid: null })
  recordChange(op, vm)
}

export async function removed(op: Op, vm: VmRow | null, step: 'machine' | 'disk'): Promise<void> {
  if (!vm || vm.goneAt) return
  const operations = await operationsOn(op, vm)
  operations.finish('delete_vm', step)
  if (step === 'machine') await enqueueSsh(op, vm)
}

export async function erase(op: Op, vm: VmRow | null): Promise<void> {
  if (!vm || vm.goneAt) return
  const operations = await operationsOn(op, vm)
  operations.finish('delete_vm', 'gone')
  operations.succeed('delete_vm')
  op.vms.erase(vm)
  recordChange(op, vm)
  // The volumes that this VM held are enqueued, so that waiting operations do not wait for the next
  // full pass.
  for (const volume of await op.reads.volumes.heldBy(vm.id)) op.work.ring('volume', volume)
  await enqueueAffectedFirewalls(op, vm)
}

/**
 * Enqueues the firewalls that may allow the addresses of this VM, because another VM will get these
 * addresses.
 */
async function enqueueAffectedFirewalls(op: Op, vm: VmRow): Promise<void> {
  const hasAddresses = (await op.nics.ofVm(vm.id)).some(({ networkId }) => networkId !== null)
  if (!hasAddresses) return
  for (const affected of await op.vmGuards.changedBy(vm)) op.work.ring('vm_guard', affected)
}
