import { type FaultCode } from '../domain/fault.ts'
import { explain } from '../domain/vm/explain.ts'
import { type SeenVm } from '../domain/vm/seen.ts'
import { type VmState, stateOf } from '../domain/vm/state.ts'
import { type Power } from '../domain/vm/vm.ts'
import { type Op } from '../store/op.ts'
import { type SeenOfVm } from '../store/vm.ts'
import { Promises } from './promise.ts'

export type VmRow = NonNullable<Awaited<ReturnType<Op['vms']['row']>>>
export type VmUnit = <T>(act: (op: Op, vm: VmRow | null) => Promise<T>) => Promise<T>
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

const identityOf = ({ id, tenantId, name, clusterUid, secretUid, diskUid }: VmRow) => ({
  ...{ rowId: id, tenantId, name },
  ...{ clusterUid: clusterUid ?? null, secretUid: secretUid ?? null, diskUid: diskUid ?? null },
})

function wishOf(vm: VmRow, promises: Promises) {
  const { generation, appliedGeneration } = vm
  const open = (['deploy_vm', 'start_vm', 'stop_vm'] as const).filter((kind) => promises.isOpen(kind))
  return {
    ...{ generation, appliedGeneration, spec: vm, open },
    isToStart: vm.wantedPower === 'on' && open.length > 0,
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
    for (const kind of ['deploy_vm', 'start_vm', 'stop_vm'] as const) promises.supersede(kind, 'delete_vm')
    promises.begin('delete_vm', 'machine')
    return
  }
  // The last wish counts.
  if (vm.wantedPower === 'on') promises.supersede('stop_vm', 'start_vm')
  else promises.supersede('start_vm', 'stop_vm')
  promises.begin('deploy_vm', 'settings')
  promises.begin('start_vm', 'machine')
  promises.begin('stop_vm', 'machine')
}

/** A part is there: its identity is kept before anything else is done. */
async function made(op: Op, vm: VmRow | null, part: { step: 'settings' | 'disk'; uid: string }): Promise<void> {
  if (!vm || vm.goneAt) return
  op.vms.remember(vm, part.step === 'disk' ? { diskUid: part.uid } : { secretUid: part.uid })
  const promises = await on(op, vm)
  promises.finish('deploy_vm', part.step)
}

async function applied(op: Op, vm: VmRow | null, { uid, generation }: { uid: string; generation: number }): Promise<void> {
  if (!vm || vm.goneAt) return
  op.vms.remember(vm, { clusterUid: uid, appliedGeneration: generation })
  const promises = await on(op, vm)
  for (const kind of ['deploy_vm', 'start_vm', 'stop_vm'] as const) promises.finish(kind, 'machine')
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
  const arrived = arrivalIn(found.state, vm.wantedPower)
  if (arrived) arrive(promises, arrived)
}

/** What a wish for power comes to an end with. */
const arrivals = {
  on: { state: 'Running', kind: 'start_vm', step: 'running' },
  off: { state: 'Stopped', kind: 'stop_vm', step: 'stopped' },
} as const

export const arrivalIn = (state: VmState, power: Power) => (arrivals[power].state === state ? arrivals[power] : null)

function arrive(promises: Promises, { kind, step }: (typeof arrivals)[Power]): void {
  promises.finish('deploy_vm', 'running')
  promises.succeed('deploy_vm')
  promises.finish(kind, step)
  promises.succeed(kind)
}

function foundOf({ wantedPower, deleteRequestedAt, clusterUid, failedAt }: VmRow, seen: SeenVm | null): SeenOfVm {
  const asked = { wantedPower, deleteRequested: Boolean(deleteRequestedAt), clusterUid: clusterUid ?? null }
  return {
    state: failedAt ? 'Error' : stateOf(asked, seen),
    explanation: explain(asked, seen),
    ...ofInstance(seen?.instance ?? null),
    diskProgress: progressOf(seen?.disks ?? []),
    seenVersion: seen && versionOf(seen),
  }
}

const ofInstance = (instance: SeenVm['instance']): Pick<SeenOfVm, 'ip' | 'guestOs'> => ({
  ip: instance?.addresses.find(({ ip }) => ip !== null)?.ip ?? null,
  guestOs: instance?.guestOs ?? null,
})

function progressOf(disks: SeenVm['disks']): number | null {
  const filling = disks.flatMap(({ progress }) => progress ?? [])
  return filling.length === 0 ? null : Math.round(Math.min(...filling))
}

/** Tells whether anything was news since the last look. */
export const versionOf = ({ version, instanceVersion }: { version: string; instanceVersion: string | null }): string =>
  `${version}/${instanceVersion ?? ''}`

const shown = ['state', 'explanation', 'diskProgress', 'ip', 'guestOs', 'seenVersion'] as const

const isNews = (vm: VmRow, found: SeenOfVm): boolean =>
  shown.some((field) => JSON.stringify(vm[field] ?? null) !== JSON.stringify(found[field]))

async function fail(op: Op, vm: VmRow | null, { code, detail }: { code: FaultCode; detail: string }): Promise<void> {
  if (!vm || vm.goneAt || vm.deleteRequestedAt) return
  const promises = await on(op, vm)
  promises.fail(code, detail)
  // What exists stays as it is; what could not be made leaves nothing behind.
  if (!vm.clusterUid) op.vms.giveUp(vm)
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

export const vmRecord = { askedOf, made, applied, observe, fail, removed, erase }
