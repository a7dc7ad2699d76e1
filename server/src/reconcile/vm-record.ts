import { type FaultCode } from '../domain/fault.ts'
import { type OperationKind } from '../domain/operation/kind.ts'
import { type SeenVm } from '../domain/vm/seen.ts'
import { type Arrival, type Wished, arrivalsIn, isPastWishing, wishKindOf, wishKinds } from '../domain/vm/wish.ts'
import { type Op } from '../store/op.ts'
import { type MadeOfVm } from '../store/vm.ts'
import { type Unit } from './fenced-unit.ts'
import { Promises } from './promise.ts'
import { type VmRow, foundOf, isNews } from './vm-found.ts'

export type VmUnit = Unit<VmRow>
export type AskedVm = NonNullable<Awaited<ReturnType<typeof askedOf>>>

const on = (op: Op, { id }: VmRow): Promise<Promises> => Promises.on(op, { kind: 'vm', id })

function note(op: Op, { id, version, tenantId }: VmRow): void {
  op.changes.note('vm', { id, version: version + 1, tenantId })
}

/** What the row asks for, and first of all whether time is up for what was promised. */
async function askedOf(op: Op, vm: VmRow | null) {
  const tenant = vm ? await op.reads.tenants.find(vm.tenantId) : null
  if (!vm || !tenant) return null
  const promises = await on(op, vm)
  if (!vm.goneAt) {
    begin(promises, vm)
    expire(op, promises, vm)
  }
  const goneForMs = vm.goneAt ? Date.parse(await op.operations.now()) - Date.parse(vm.goneAt) : null
  return { ...identityOf(vm), namespace: tenant.namespace, ...wishOf(vm, promises), goneForMs, userData: () => op.vms.userDataOf(vm) }
}

const identityOf = ({ id, tenantId, name, clusterUid, secretUid, diskUid, isoUid }: VmRow) => ({
  ...{ rowId: id, tenantId, name },
  ...{ clusterUid: clusterUid ?? null, secretUid: secretUid ?? null, diskUid: diskUid ?? null, isoUid: isoUid ?? null },
})

export const wishedOf = ({ wantedPower, runWish, runWishUid }: VmRow): Wished => ({
  ...{ wantedPower, runWish: runWish ?? null, runWishUid: runWishUid ?? null },
})

/** The operations on a machine that is there, or is to be. */
const kindsThere = ['deploy_vm', 'resize_vm', ...wishKinds] as const

function wishOf(vm: VmRow, promises: Promises) {
  const { generation, appliedGeneration, forced } = vm
  const { wantedPower, runWish, runWishUid: runUid } = wishedOf(vm)
  const open = kindsThere.filter((kind) => promises.isOpen(kind))
  const isOpen = (...kinds: (typeof open)[number][]): boolean => kinds.some((kind) => open.includes(kind))
  return {
    ...{ generation, appliedGeneration, spec: vm, open },
    isToStart: wantedPower === 'on' && isOpen('deploy_vm', 'start_vm', 'restart_vm'),
    isToEndAtOnce: wantedPower === 'off' && forced && isOpen('stop_vm'),
    runWish: runWish && runUid && isOpen(`${runWish}_vm`) ? { wish: runWish, runUid, forced } : null,
    isLeaving: Boolean(vm.deleteRequestedAt ?? vm.failedAt ?? vm.goneAt),
  }
}

/** A machine that was not ready in time is given up, with all that was made for it. */
function expire(op: Op, promises: Promises, vm: VmRow): void {
  const wasBeingMade = promises.isOpen('deploy_vm')
  const isLate = promises.expire() && wasBeingMade && !promises.isOpen('deploy_vm')
  if (!isLate || vm.deleteRequestedAt) return
  op.vms.giveUp(vm)
  note(op, vm)
}

function begin(promises: Promises, vm: VmRow): void {
  if (vm.deleteRequestedAt) {
    promises.supersedeAll('delete_vm')
    promises.begin('delete_vm', 'machine')
    return
  }
  // The last wish counts.
  const wanted = wishKindOf(wishedOf(vm))
  for (const kind of wishKinds) if (kind !== wanted) promises.supersede(kind, wanted)
  promises.begin('deploy_vm', 'settings')
  for (const kind of ['resize_vm', ...wishKinds] as const) promises.begin(kind, 'machine')
}

/** A part is there: its identity is kept before anything else is done. */
async function made(op: Op, vm: VmRow | null, { step, ...part }: { step: 'settings' | 'disk' } & MadeOfVm): Promise<void> {
  if (!vm || vm.goneAt) return
  op.vms.remember(vm, part)
  const promises = await on(op, vm)
  promises.finish('deploy_vm', step)
}

async function applied(op: Op, vm: VmRow | null, { uid, generation }: { uid: string; generation: number }): Promise<void> {
  if (!vm || vm.goneAt) return
  op.vms.remember(vm, { clusterUid: uid, appliedGeneration: generation })
  // More was asked while this was told; that is told next, and only then is it all.
  if (generation < vm.generation) return
  const promises = await on(op, vm)
  for (const kind of ['deploy_vm', 'start_vm', 'stop_vm', 'resize_vm'] as const) promises.finish(kind, 'machine')
  promises.succeed('resize_vm')
}

/** The cluster has taken an order. */
async function ordered(op: Op, vm: VmRow | null, kind: OperationKind): Promise<void> {
  if (!vm || vm.goneAt) return
  const promises = await on(op, vm)
  promises.finish(kind, 'machine')
}

/** Writes down what was seen, and ends what was promised when it is as it was asked. */
async function observe(op: Op, vm: VmRow | null, seen: SeenVm | null): Promise<void> {
  if (!vm || vm.goneAt) return
  const found = foundOf(vm, seen)
  if (isNews(vm, found)) {
    op.vms.observe(vm, found)
    note(op, vm)
  }
  if (vm.appliedGeneration < vm.generation || vm.deleteRequestedAt) return
  const promises = await on(op, vm)
  if (found.state === 'Lost') promises.fail('conflict', 'The VM was removed outside of this platform.')
  for (const arrival of arrivalsIn(wishedOf(vm), found)) arrive(promises, arrival)
  if (isPastWishing(wishedOf(vm), found)) promises.refuse(wishKindOf(wishedOf(vm)), tooLate)
}

const tooLate = { code: 'conflict', detail: 'The VM has stopped or started anew meanwhile; see how it is now, and ask again.' } as const

function arrive(promises: Promises, { kind, step }: Arrival): void {
  // A guest that went down by itself was never told to.
  if (kind !== 'deploy_vm') promises.finish(kind, 'machine')
  promises.finish(kind, step)
  promises.succeed(kind)
}

async function fail(op: Op, vm: VmRow | null, { code, detail }: { code: FaultCode; detail: string }): Promise<void> {
  if (!vm || vm.goneAt || vm.deleteRequestedAt) return
  const promises = await on(op, vm)
  promises.fail(code, detail)
  // What exists stays as it is; what could not be made leaves nothing behind.
  if (!vm.clusterUid) op.vms.giveUp(vm)
  note(op, vm)
}

/** The cluster will never take what was promised; the machine stays as it is. */
async function refuse(
  op: Op,
  vm: VmRow | null,
  { kind, ...fault }: { kind: OperationKind; code: FaultCode; detail: string },
): Promise<void> {
  if (!vm || vm.goneAt) return
  const promises = await on(op, vm)
  promises.refuse(kind, fault)
  note(op, vm)
}

async function removed(op: Op, vm: VmRow | null, step: 'machine' | 'disk'): Promise<void> {
  if (!vm || vm.goneAt) return
  const promises = await on(op, vm)
  promises.finish('delete_vm', step)
}

async function erase(op: Op, vm: VmRow | null): Promise<void> {
  if (!vm || vm.goneAt) return
  const promises = await on(op, vm)
  promises.finish('delete_vm', 'gone')
  promises.succeed('delete_vm')
  op.vms.erase(vm)
  note(op, vm)
}

export const vmRecord = { askedOf, made, applied, ordered, observe, fail, refuse, removed, erase }
