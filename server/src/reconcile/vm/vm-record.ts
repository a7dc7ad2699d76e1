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
import * as vmGuardRecord from '../vm-guard/vm-guard-record.ts'
import { type AppliedGuard } from '../vm-guard/vm-guard-record.ts'
import * as vmRewiring from './vm-rewiring.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export type VmUnit = Unit<VmRow>
export type AskedVm = NonNullable<Awaited<ReturnType<typeof askedOf>>>

type Wiring = Awaited<ReturnType<Op['reads']['nics']['plugsOf']>>

const on = (op: Op, { id }: Pick<VmRow, 'id'>): Promise<Promises> =>
  Promises.on(op, { kind: 'vm', id })

/** With what is promised of it, which nearly everything here goes on to ask for. */
export async function read(op: Op, id: string): Promise<VmRow | null> {
  const [vm] = await Promise.all([op.vms.row(id), on(op, { id })])
  return vm
}

function note(op: Op, { id, version, tenantId }: VmRow): void {
  op.changes.note('vm', { id, version: version + 1, tenantId })
}

/** What the row asks for, and first of all whether time is up for what was promised. */
export async function askedOf(op: Op, vm: VmRow | null) {
  if (!vm) return null
  const [tenant, promises, parts] = await Promise.all([
    op.reads.tenants.find(vm.tenantId),
    on(op, vm),
    partsToTell(op, vm),
  ])
  if (!tenant) return null
  if (!vm.goneAt) {
    begin(promises, vm)
    await expire(op, promises, vm)
  }
  const goneForMs = vm.goneAt ? Date.parse(op.operations.now) - Date.parse(vm.goneAt) : null
  const place = { namespace: tenant.namespace, goneForMs, ...parts }
  const volumesAreComing = vm.copiedFrom && !vm.clusterUid ? await haveVolumesToCome(op, vm) : false
  const restore = await restoreRecord.askedOf(op, vm, promises)
  const told = {
    restore,
    volumesAreComing,
    rewiring: await vmRewiring.askedOf(op, vm, promises),
    now: op.operations.now,
  }
  return {
    ...identityOf(vm),
    ...place,
    ...wishOf(vm, promises),
    ...told,
    userData: () => op.vms.userDataOf(vm),
  }
}

/** Only of a machine that the cluster has not been told all of: of others nobody asks. */
async function partsToTell(
  op: Op,
  { id, generation, appliedGeneration }: VmRow,
): Promise<{ volumeIds: string[]; nics: Wiring }> {
  if (appliedGeneration === generation) return { volumeIds: [], nics: [] }
  const [volumes, nics] = await Promise.all([
    op.reads.volumes.attachedTo([id]),
    op.reads.nics.plugsOf(id),
  ])
  return { volumeIds: volumes.map((volume) => volume.id), nics }
}

/** Of a copy, whose volumes are made with it. */
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

export const wishedOf = ({ wantedPower, runWish, runWishUid }: VmRow): Wished => ({
  wantedPower,
  runWish: runWish ?? null,
  runWishUid: runWishUid ?? null,
})

/** Kept when the cluster has been told. */
const changes = ['resize_vm', 'eject_vm_iso'] as const

/** The operations on a machine that is there, or is to be. */
const kindsThere = [
  'deploy_vm',
  'restore_vm',
  'set_vm_security_groups',
  ...changes,
  ...rewirings,
  ...wishKinds,
] as const

/** The machine has been told to come up without it. */
const hasIsoToRemove = ({ isoInserted, isoUid, appliedGeneration, generation }: VmRow): boolean =>
  !isoInserted && Boolean(isoUid) && appliedGeneration === generation

function wishOf(vm: VmRow, promises: Promises) {
  const { generation, appliedGeneration, forced } = vm
  const { wantedPower, runWish, runWishUid: runUid } = wishedOf(vm)
  const open = kindsThere.filter((kind) => promises.isOpen(kind))
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
      runWish && runUid && isOpen(`${runWish}_vm`) ? { wish: runWish, runUid, forced } : null,
    isLeaving: Boolean(vm.deleteRequestedAt ?? vm.failedAt ?? vm.goneAt),
  }
}

/** A machine that was not ready in time is given up, with all that was made for it. */
async function expire(op: Op, promises: Promises, vm: VmRow): Promise<void> {
  const wasBeingMade = promises.isOpen('deploy_vm')
  const isLate = promises.expire() && wasBeingMade && !promises.isOpen('deploy_vm')
  if (!isLate || vm.deleteRequestedAt) return
  await giveUp(op, vm)
  note(op, vm)
}

/**
 * What could not be made leaves nothing behind, and takes no volume with it but those that were
 * copied for it.
 */
async function giveUp(op: Op, vm: VmRow): Promise<void> {
  op.vms.giveUp(vm)
  const dropped = await op.volumes.dropCopiesFor(vm.id)
  for (const volume of [...dropped, ...(await op.volumes.takeAllOutOf(vm.id))]) {
    op.changes.note('volume', volume)
    op.work.ring('volume', volume)
  }
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
  promises.begin('deploy_vm', 'guard')
  promises.begin('set_vm_security_groups', 'guard')
  if (!promises.hasDone('restore_vm', 'off')) promises.begin('restore_vm', 'off')
  for (const kind of [...changes, ...rewirings, ...wishKinds] as const)
    promises.begin(kind, 'machine')
}

export interface MadeParts {
  guard?: AppliedGuard
  settings?: Pick<MadeOfVm, 'secretUid' | 'keepsGuestState'>
  disk?: Pick<MadeOfVm, 'diskUid' | 'isoUid'>
}

/** Parts are there: their identities are kept before the machine is made of them. */
export async function made(
  op: Op,
  vm: VmRow | null,
  { guard, settings, disk }: MadeParts,
): Promise<void> {
  if (!vm || vm.goneAt) return
  if (guard) await vmGuardRecord.applied(op, vm.id, guard)
  op.vms.remember(vm, { ...settings, ...disk })
  const promises = await on(op, vm)
  if (settings) promises.finish('deploy_vm', 'settings')
  if (disk) promises.finish('deploy_vm', 'disk')
}

export async function applied(
  op: Op,
  vm: VmRow | null,
  { uid, generation }: { uid: string; generation: number },
): Promise<void> {
  if (!vm || vm.goneAt) return
  op.vms.remember(vm, { clusterUid: uid, appliedGeneration: generation })
  // More was asked while this was told; that is told next, and only then is it all.
  if (generation < vm.generation) return
  if (generation > 1) await wakeVolumes(op, vm)
  const promises = await on(op, vm)
  for (const kind of ['deploy_vm', 'start_vm', 'stop_vm', ...changes, ...rewirings] as const)
    promises.finish(kind, 'machine')
  for (const kind of changes) promises.succeed(kind)
  await vmRewiring.told(op, vm, promises)
}

/**
 * What is in a machine that does not run changes nothing but that machine: a volume that a restore
 * took out of it would not hear that it is back.
 */
async function wakeVolumes(op: Op, { id }: VmRow): Promise<void> {
  // Each, for one that is being looked at now may have been seen before.
  for (const volume of await op.reads.volumes.attachedTo([id])) op.work.ring('volume', volume)
}

/** The cluster has taken an order. */
export async function ordered(op: Op, vm: VmRow | null, kind: OperationKind): Promise<void> {
  if (!vm || vm.goneAt) return
  const promises = await on(op, vm)
  promises.finish(kind, 'machine')
}

/** Writes down what was seen, and ends what was promised when it is as it was asked. */
export async function observe(op: Op, vm: VmRow | null, seen: SeenVm | null): Promise<void> {
  if (!vm || vm.goneAt) return
  const found = foundOf(vm, seen, op.operations.now)
  if (isNews(vm, found)) {
    await moveSsh(op, vm, found)
    await noteVmEvent(op, vm, { found, seen })
    op.vms.observe(vm, found)
    // Nothing is taken from one that is as it was made.
    if (vm.generation > 1 && vm.appliedGeneration === vm.generation) await letNicsGo(op, vm, found)
    note(op, vm)
  }
  if (!endsSomething(vm, found)) return
  const promises = await on(op, vm)
  if (found.state === 'Lost') promises.fail('conflict', messageOf('vm.removed_outside'))
  for (const arrival of arrivalsIn(wishedOf(vm), found)) arrive(promises, arrival)
  if (isPastWishing(wishedOf(vm), found)) promises.refuse(wishKindOf(wishedOf(vm)), tooLate)
}

/**
 * What leads to it from outside follows it. Of a run that is over the cluster tells for a moment
 * longer where it was.
 */
async function moveSsh(op: Op, vm: VmRow, found: SeenOfVm): Promise<void> {
  const isElsewhere = JSON.stringify(vm.seenNics ?? null) !== JSON.stringify(found.seenNics)
  if (found.state === 'Stopped' ? vm.state !== 'Stopped' : isElsewhere) await ringSsh(op, vm)
}

async function ringSsh(op: Op, vm: VmRow): Promise<void> {
  if (await op.vmSsh.isKnown(vm.id)) op.work.ring('vm_ssh', vm)
}

/**
 * What a guest was to give up and does not have: the one that runs was started without it, or none
 * runs.
 */
async function letNicsGo(
  op: Op,
  { id, tenantId }: VmRow,
  { state, seenNics }: SeenOfVm,
): Promise<void> {
  const there = (seenNics ?? []).map(({ name }) => name)
  const isKnown = state === 'Stopped' || (state === 'Running' && there.length > 0)
  if (!isKnown) return
  const gone = (await op.nics.ofVm(id)).filter(
    ({ isLeaving, ordinal }) => isLeaving && !there.includes(nicName(ordinal)),
  )
  if (gone.length === 0) return
  await op.nics.letGo(gone.map((nic) => nic.id))
  op.work.ring('vm_guard', await op.vmGuards.rewired({ id, tenantId }))
}

/** Whether what was found may be the end of what was promised. */
export function endsSomething(vm: VmRow, found: SeenOfVm): boolean {
  if (vm.appliedGeneration < vm.generation || vm.deleteRequestedAt) return false
  const wished = wishedOf(vm)
  return (
    found.state === 'Lost' || arrivalsIn(wished, found).length > 0 || isPastWishing(wished, found)
  )
}

const tooLate = {
  code: 'conflict',
  detail: messageOf('vm.changed_meanwhile'),
} as const

function arrive(promises: Promises, { kind, step }: Arrival): void {
  // A guest that went down by itself was never told to.
  if (kind !== 'deploy_vm') promises.finish(kind, 'machine')
  promises.finish(kind, step)
  promises.succeed(kind)
}

export async function fail(
  op: Op,
  vm: VmRow | null,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  if (!vm || vm.goneAt || vm.deleteRequestedAt) return
  const promises = await on(op, vm)
  promises.fail(code, detail)
  // What exists stays as it is.
  if (!vm.clusterUid) await giveUp(op, vm)
  note(op, vm)
}

/** The cluster will never take what was promised; the machine stays as it is. */
export async function refuse(
  op: Op,
  vm: VmRow | null,
  { kind, ...fault }: { kind: OperationKind; code: FaultCode; detail: Message },
): Promise<void> {
  if (!vm || vm.goneAt) return
  const promises = await on(op, vm)
  promises.refuse(kind, fault)
  note(op, vm)
}

/** The copy of its ISO is not there any more, and takes no room. */
export function isoRemoved(op: Op, vm: VmRow | null): void {
  if (!vm || vm.isoInserted || !vm.isoUid) return
  op.vms.remember(vm, { isoUid: null })
  note(op, vm)
}

export async function removed(op: Op, vm: VmRow | null, step: 'machine' | 'disk'): Promise<void> {
  if (!vm || vm.goneAt) return
  const promises = await on(op, vm)
  promises.finish('delete_vm', step)
  if (step === 'machine') await ringSsh(op, vm)
}

export async function erase(op: Op, vm: VmRow | null): Promise<void> {
  if (!vm || vm.goneAt) return
  const promises = await on(op, vm)
  promises.finish('delete_vm', 'gone')
  promises.succeed('delete_vm')
  op.vms.erase(vm)
  note(op, vm)
  // Whoever waits for what it had need not wait for the next look.
  for (const volume of await op.reads.volumes.heldBy(vm.id)) op.work.ring('volume', volume)
  await tellThoseWhoNameIt(op, vm)
}

/** They may let in its addresses, which somebody else will have. */
async function tellThoseWhoNameIt(op: Op, vm: VmRow): Promise<void> {
  const hasAddresses = (await op.nics.ofVm(vm.id)).some(({ networkId }) => networkId !== null)
  if (!hasAddresses) return
  for (const other of await op.vmGuards.changedBy(vm)) op.work.ring('vm_guard', other)
}
