import { type FaultCode } from '../../engine/model/fault.ts'
import { type OperationKind } from '../../domain/nouns.ts'
import { nicOperationKinds } from '../../domain/nic/settled-operations.ts'
import { nicName } from '../../domain/nic/nic.ts'
import { type ObservedVm } from '../../domain/vm/observed.ts'
import {
  type CompletedOperation,
  type DesiredPower,
  completedOperations,
  hasCommandExpired,
  desiredOperationKind,
  powerOperationKinds,
  startingOperations,
} from '../../domain/vm/vmi-command.ts'
import { timedOut } from '../../domain/operation/deadline.ts'
import { explainObstacle } from '../../domain/vm/explain.ts'
import { beginnings, deployPercent } from '../../domain/vm/operations.ts'
import { hasRecovered } from '../../domain/vm/state.ts'
import { type Op } from '../../store/op.ts'
import { type CreatedParts } from './created-parts.ts'
import { type ObservedVmState } from '../../store/vm/vm.ts'
import { type Unit } from '../fenced-unit.ts'
import { differsFromRow } from '../../engine/reconcile/row-difference.ts'
import { type Attendance, OpenOperations } from '../open-operations.ts'
import { recordVmEvent } from './vm-event-record.ts'
import * as restoreRecord from './vm-restore-record.ts'
import { type VmRow, statusOf } from './vm-status.ts'
import * as vmFirewallRecord from '../vm-firewall/vm-firewall-record.ts'
import { type VmParts, loadParts } from './vm-parts-record.ts'
import * as vmRewiring from './vm-rewiring.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export type VmUnit = Unit<VmRow>
export type VmTarget = NonNullable<Awaited<ReturnType<typeof loadDesired>>>

export const operationsOn = (op: Op, { id }: Pick<VmRow, 'id'>): Promise<OpenOperations> =>
  OpenOperations.on(op, { kind: 'vm', id })

/** Loads the VM row and its open operations in one round trip. */
export async function read(op: Op, id: string): Promise<VmRow | null> {
  const [vm] = await Promise.all([op.vms.row(id), operationsOn(op, { id })])
  return vm
}

export function recordChange(op: Op, { id, version, tenantId }: VmRow): void {
  op.changes.record('vm', { id, version: version + 1, tenantId })
}

/** Loads the desired state, and whether an operation needs a review after the pass. */
export async function loadDesired(op: Op, vm: VmRow | null) {
  if (!vm) return null
  const [tenant, operations, parts] = await Promise.all([
    op.reads.tenants.find(vm.tenantId),
    operationsOn(op, vm),
    loadUnappliedParts(op, vm),
  ])
  if (!tenant) return null
  if (!vm.goneAt) {
    begin(operations, vm)
    await retry(op, operations, vm)
  }
  const goneForMs = vm.goneAt ? Date.parse(op.operations.now) - Date.parse(vm.goneAt) : null
  const location = { namespace: tenant.namespace, goneForMs, ...parts }
  const volumesAreComing = vm.copiedFrom && !vm.clusterUid ? await haveVolumesToCome(op, vm) : false
  const restore = await restoreRecord.loadDesired(op, vm, operations)
  const details = {
    restore,
    volumesAreComing,
    rewiring: await vmRewiring.loadDesired(op, vm, operations),
    now: op.operations.now,
    needsReview: !vm.goneAt && operations.needReview,
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
const loadUnappliedParts = (
  op: Op,
  { id, generation, appliedGeneration }: VmRow,
): Promise<VmParts> | VmParts =>
  appliedGeneration === generation ? { volumeIds: [], nics: [] } : loadParts(op, id)

/** True while volumes of a cloned VM are being created. */
const haveVolumesToCome = async (op: Op, { id }: VmRow): Promise<boolean> =>
  (await op.reads.volumes.attachedTo([id])).some(({ state }) => state === 'creating')

const identityOf = ({
  id,
  tenantId,
  name,
  clusterUid,
  adoptedUid,
  secretUid,
  diskUid,
  isoUid,
}: VmRow) => ({
  rowId: id,
  tenantId,
  name,
  clusterUid: clusterUid ?? null,
  adoptedUid: adoptedUid ?? null,
  secretUid: secretUid ?? null,
  diskUid: diskUid ?? null,
  isoUid: isoUid ?? null,
})

export const desiredPowerOf = ({
  wantedPower,
  vmiCommand,
  vmiCommandUid,
}: VmRow): DesiredPower => ({
  wantedPower,
  vmiCommand: vmiCommand ?? null,
  vmiCommandUid: vmiCommandUid ?? null,
})

/** The operations that end when the spec is applied. */
const changes = ['resize_vm', 'eject_vm_iso', 'resolve_vm_drift'] as const

/** The operations on a VM that exists or is being created. */
const kindsThere = [
  ...beginnings,
  'restore_vm',
  'set_vm_security_groups',
  ...changes,
  ...nicOperationKinds,
  ...powerOperationKinds,
] as const

/** True when the spec in the cluster no longer contains the ISO. */
const hasIsoToRemove = ({ isoInserted, isoUid, appliedGeneration, generation }: VmRow): boolean =>
  !isoInserted && Boolean(isoUid) && appliedGeneration === generation

function desiredStateOf(vm: VmRow, operations: OpenOperations) {
  const { generation, appliedGeneration, forced } = vm
  const { wantedPower, vmiCommand, vmiCommandUid: vmiUid } = desiredPowerOf(vm)
  const open = kindsThere.filter((kind) => operations.isOpen(kind))
  const isOpen = (...kinds: (typeof open)[number][]): boolean =>
    kinds.some((kind) => open.includes(kind))
  return {
    generation,
    appliedGeneration,
    spec: vm,
    open,
    mustStart: wantedPower === 'on' && isOpen(...startingOperations),
    hasIsoToRemove: hasIsoToRemove(vm),
    mustForceStop: wantedPower === 'off' && forced && isOpen('stop_vm'),
    vmiCommand:
      vmiCommand && vmiUid && isOpen(`${vmiCommand}_vm`)
        ? { command: vmiCommand, vmiUid, forced }
        : null,
    isLeaving: Boolean(vm.deleteRequestedAt ?? vm.goneAt),
    hasFailed: Boolean(vm.failedAt),
  }
}

/** An open deploy of a failed VM is a retry that a user requested. */
async function retry(op: Op, operations: OpenOperations, vm: VmRow): Promise<void> {
  if (!vm.failedAt || !operations.isOpen('deploy_vm')) return
  op.vms.forgetFailure(vm)
  if (!vm.clusterUid) await observe(op, vm, null)
}

/**
 * Ends operations that are past their deadline. Call it after the VM was observed. A VM whose
 * deploy ends stays with all its parts.
 */
export async function expire(op: Op, vm: VmRow | null, attendance: Attendance): Promise<void> {
  if (!vm || vm.goneAt) return
  const operations = await operationsOn(op, vm)
  const expired = operations.expire(attendance)
  if (beginnings.some((kind) => expired.includes(kind)))
    await recordFailure(op, vm, timedOut.detail)
}

/** Records what the operator must provide before the VM can be reconciled. */
export async function block(op: Op, vm: VmRow | null, obstacle: Message): Promise<void> {
  if (!vm || vm.goneAt) return
  const operations = await operationsOn(op, vm)
  operations.block(obstacle)
  const explanation = explainObstacle(obstacle)
  if (!differsFromRow(vm, { explanation })) return
  op.vms.explain(vm, explanation)
  recordChange(op, vm)
}

/** The next pass records the state of a VM that exists in the cluster. */
async function recordFailure(op: Op, vm: VmRow, detail: Message): Promise<void> {
  op.vms.recordFailure(vm, detail)
  if (!vm.clusterUid) await observe(op, vm, null)
  recordChange(op, vm)
}

function begin(operations: OpenOperations, vm: VmRow): void {
  if (vm.deleteRequestedAt) {
    operations.supersedeAll('delete_vm')
    operations.begin('delete_vm', 'vm')
    return
  }
  // The latest request wins.
  const currentKind = desiredOperationKind(desiredPowerOf(vm))
  for (const kind of powerOperationKinds)
    if (kind !== currentKind) operations.supersede(kind, currentKind)
  for (const kind of beginnings) operations.begin(kind, 'firewall')
  operations.begin('set_vm_security_groups', 'firewall')
  if (!operations.isStepDone('restore_vm', 'off')) operations.begin('restore_vm', 'off')
  for (const kind of [...changes, ...nicOperationKinds, ...powerOperationKinds] as const)
    operations.begin(kind, 'vm')
}

/** Records the identities of the created parts before the VM is created from them. */
export async function partsCreated(
  op: Op,
  vm: VmRow | null,
  { firewall, settings, disk, userData }: CreatedParts,
): Promise<void> {
  if (!vm || vm.goneAt) return
  if (firewall) await vmFirewallRecord.applied(op, vm.id, firewall)
  op.vms.remember(vm, { ...settings, ...disk })
  if (userData) op.vms.rememberUserData(vm, userData)
  const operations = await operationsOn(op, vm)
  for (const kind of beginnings) {
    if (settings) operations.finish(kind, 'settings')
    if (disk) operations.finish(kind, 'disk')
  }
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
  for (const kind of [
    ...beginnings,
    'start_vm',
    'stop_vm',
    ...changes,
    ...nicOperationKinds,
  ] as const)
    operations.finish(kind, 'vm')
  operations.begin('deploy_vm', 'running')
  operations.begin('adopt_vm', 'observed')
  for (const kind of changes) operations.succeed(kind)
  await vmRewiring.specApplied(op, vm, operations)
}

/**
 * Enqueues the volumes of the VM. While the VM is off, only its own object changes, so a volume
 * that a restore detached would not notice that it is attached again.
 */
async function enqueueVolumes(op: Op, { id }: VmRow): Promise<void> {
  // All volumes are enqueued: one that is being reconciled now may have read the old state.
  for (const volume of await op.reads.volumes.attachedTo([id])) op.work.enqueue('volume', volume)
}

/** Records that the cluster has accepted a power command. */
export async function commandSent(op: Op, vm: VmRow | null, kind: OperationKind): Promise<void> {
  if (!vm || vm.goneAt) return
  const operations = await operationsOn(op, vm)
  operations.finish(kind, 'vm')
}

/** Records the observed state, and ends operations that have reached the desired state. */
export async function observe(
  op: Op,
  vm: VmRow | null,
  observed: ObservedVm | null,
): Promise<void> {
  if (!vm || vm.goneAt) return
  const status = statusOf(vm, observed, op.operations.now)
  if (vm.failedAt && hasRecovered(status.state)) op.vms.forgetFailure(vm)
  if (differsFromRow(vm, status)) await recordStatus(op, vm, { status, observed })
  const operations = await operationsOn(op, vm)
  recordProgress(operations, vm, status)
  if (!endsOperation(vm, status)) return
  if (status.state === 'Lost') operations.failAll('conflict', messageOf('vm.removed_outside'))
  for (const arrival of completedOperations(desiredPowerOf(vm), status)) arrive(operations, arrival)
  if (hasCommandExpired(desiredPowerOf(vm), status))
    operations.failKind(desiredOperationKind(desiredPowerOf(vm)), tooLate)
}

function recordProgress(operations: OpenOperations, vm: VmRow, status: ObservedVmState): void {
  operations.advance('deploy_vm', 'running', deployPercent(status))
  if (vm.clusterUid) operations.complete('adopt_vm')
}

async function recordStatus(
  op: Op,
  vm: VmRow,
  { status, observed }: { status: ObservedVmState; observed: ObservedVm | null },
): Promise<void> {
  await moveSsh(op, vm, status)
  await recordVmEvent(op, vm, { status, observed })
  op.vms.observe(vm, status)
  // The first generation has no NICs to release.
  if (vm.generation > 1 && vm.appliedGeneration === vm.generation) await releaseNics(op, vm, status)
  recordChange(op, vm)
}

/**
 * Enqueues SSH access when the addresses of the VM change. KubeVirt reports the addresses of an
 * ended VMI for a moment longer.
 */
async function moveSsh(op: Op, vm: VmRow, status: ObservedVmState): Promise<void> {
  const isElsewhere =
    JSON.stringify(vm.observedNics ?? null) !== JSON.stringify(status.observedNics)
  if (status.state === 'Stopped' ? vm.state !== 'Stopped' : isElsewhere) await enqueueSsh(op, vm)
}

export async function enqueueSsh(op: Op, vm: VmRow): Promise<void> {
  if (await op.vmSsh.isKnown(vm.id)) op.work.enqueue('vm_ssh', vm)
}

/**
 * Releases NICs marked for removal that the running VMI does not have. A VM that is off releases
 * all of them.
 */
async function releaseNics(
  op: Op,
  { id, tenantId }: VmRow,
  { state, observedNics }: ObservedVmState,
): Promise<void> {
  const present = (observedNics ?? []).map(({ name }) => name)
  const isKnown = state === 'Stopped' || (state === 'Running' && present.length > 0)
  if (!isKnown) return
  const gone = (await op.nics.ofVm(id)).filter(
    ({ isLeaving, ordinal }) => isLeaving && !present.includes(nicName(ordinal)),
  )
  if (gone.length === 0) return
  await op.nics.release(gone.map((nic) => nic.id))
  op.work.enqueue('vm_firewall', await op.vmFirewalls.incrementForNetworks({ id, tenantId }))
}

/** True when the status may end an operation. */
export function endsOperation(vm: VmRow, status: ObservedVmState): boolean {
  if (vm.appliedGeneration < vm.generation || vm.deleteRequestedAt) return false
  const desiredPower = desiredPowerOf(vm)
  return (
    status.state === 'Lost' ||
    completedOperations(desiredPower, status).length > 0 ||
    hasCommandExpired(desiredPower, status)
  )
}

const tooLate = {
  code: 'conflict',
  detail: messageOf('vm.changed_meanwhile'),
} as const

function arrive(operations: OpenOperations, { kind, step }: CompletedOperation): void {
  // A guest may shut down by itself, before the command is sent.
  if (kind !== 'deploy_vm') operations.finish(kind, 'vm')
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
  const wasDeploying = beginnings.some((kind) => operations.isOpen(kind))
  operations.failAll(code, detail)
  if (wasDeploying) await recordFailure(op, vm, detail)
  else recordChange(op, vm)
}

/** Fails an operation that the cluster will never accept. The VM stays as it is. */
export async function refuse(
  op: Op,
  vm: VmRow | null,
  { kind, ...fault }: { kind: OperationKind; code: FaultCode; detail: Message },
): Promise<void> {
  if (!vm || vm.goneAt) return
  const operations = await operationsOn(op, vm)
  operations.failKind(kind, fault)
  recordChange(op, vm)
}
