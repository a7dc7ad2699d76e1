import { type FaultCode } from '../domain/fault.ts'
import { type SeenVm } from '../domain/vm/seen.ts'
import { stateOf } from '../domain/vm/state.ts'
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
  if (!vm || vm.goneAt) return null
  const tenant = await op.reads.tenants.find(vm.tenantId)
  if (!tenant) return null
  const promises = await on(op, vm)
  begin(promises, vm)
  const wasBeingMade = promises.isOpen('deploy_vm')
  if (promises.expire() && wasBeingMade && !promises.isOpen('deploy_vm') && !vm.deleteRequestedAt) {
    op.vms.giveUp(vm)
    note(op, vm)
  }
  const { id, tenantId, name, clusterUid, secretUid, diskUid, generation, appliedGeneration } = vm
  return {
    ...{ rowId: id, tenantId, name, namespace: tenant.namespace, generation, appliedGeneration, spec: vm },
    ...{ clusterUid: clusterUid ?? null, secretUid: secretUid ?? null, diskUid: diskUid ?? null },
    isLeaving: Boolean(vm.deleteRequestedAt ?? vm.failedAt),
    userData: op.vms.userDataOf(vm),
  }
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
  const asked = { wantedPower: vm.wantedPower, deleteRequested: Boolean(vm.deleteRequestedAt), clusterUid: vm.clusterUid ?? null }
  const found = foundOf(vm.failedAt ? 'Error' : stateOf(asked, seen), seen)
  if (isNews(vm, found)) {
    op.vms.observe(vm, found)
    note(op, vm)
  }
  if (vm.appliedGeneration < vm.generation || asked.deleteRequested) return
  const promises = await on(op, vm)
  if (found.state === 'Lost') promises.fail('conflict', 'The VM was removed outside of this platform.')
  if (found.state === 'Running' && vm.wantedPower === 'on') arrive(promises, 'start_vm', 'running')
  if (found.state === 'Stopped' && vm.wantedPower === 'off') arrive(promises, 'stop_vm', 'stopped')
}

function arrive(promises: Promises, kind: 'start_vm' | 'stop_vm', step: string): void {
  promises.finish('deploy_vm', 'running')
  promises.succeed('deploy_vm')
  promises.finish(kind, step)
  promises.succeed(kind)
}

function foundOf(state: SeenOfVm['state'], seen: SeenVm | null): SeenOfVm {
  const filling = seen?.disks.find(({ progress }) => progress !== null)
  return {
    state,
    diskProgress: filling?.progress == null ? null : Math.round(filling.progress),
    ip: seen?.instance?.addresses.find(({ ip }) => ip !== null)?.ip ?? null,
    guestOs: seen?.instance?.guestOs ?? null,
    seenVersion: seen ? versionOf(seen) : null,
  }
}

/** Tells whether anything was news since the last look. */
export const versionOf = ({ version, instanceVersion }: { version: string; instanceVersion: string | null }): string =>
  `${version}/${instanceVersion ?? ''}`

const shown = ['state', 'diskProgress', 'ip', 'guestOs', 'seenVersion'] as const

const isNews = (vm: VmRow, found: SeenOfVm): boolean => shown.some((field) => (vm[field] ?? null) !== found[field])

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
