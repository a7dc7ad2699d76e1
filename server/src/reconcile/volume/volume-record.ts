import { type FaultCode } from '../../engine/model/fault.ts'
import { type OperationKind } from '../../domain/nouns.ts'
import { explain, explainObstacle } from '../../domain/volume/explain.ts'
import { isAttached, isHeld } from '../../domain/volume/holder.ts'
import { isSettled } from '../../domain/volume/settled.ts'
import { type DesiredVolume, type ObservedVolume, stateOf } from '../../domain/volume/state.ts'
import { snapshotName } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type Op } from '../../store/op.ts'
import { type ObservedVolumeState } from '../../store/volume/volume.ts'
import { type Unit } from '../fenced-unit.ts'
import { differsFromRow } from '../../engine/reconcile/row-difference.ts'
import { type Attendance, OpenOperations } from '../open-operations.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

type Row = NonNullable<Awaited<ReturnType<Op['volumes']['row']>>>

/** One fenced transaction on the row of a volume. */
export type VolumeUnit = Unit<Row>

/** The desired volume, with everything needed to carry it out. */
export interface VolumeTarget extends DesiredVolume {
  tenantId: string
  namespace: string
  storageClass: string
  /** The snapshot that the volume is created from; null for an empty volume. */
  origin: { object: string; sizeGi: number } | null
  /** The VM to which the volume is attached, or that has not released it yet. */
  vm: { rowId: string; name: string } | null
  open: readonly OperationKind[]
  /**
   * True while the VM is being restored from a snapshot, which replaces the claim by another one.
   */
  isBeingReplaced: boolean
  needsReview: boolean
}

const kinds = [
  'create_volume',
  'resize_volume',
  'attach_volume',
  'detach_volume',
  'delete_volume',
] as const satisfies readonly OperationKind[]

const operationsOn = (op: Op, { id }: Row): Promise<OpenOperations> =>
  OpenOperations.on(op, { kind: 'volume', id })

function recordChange(op: Op, { id, version, tenantId }: Row): void {
  op.changes.record('volume', { id, version: version + 1, tenantId })
}

const desiredOf = (row: Row): DesiredVolume => ({
  rowId: row.id,
  sizeGi: row.sizeGi,
  vmId: row.vmId ?? null,
  deleteRequested: Boolean(row.deleteRequestedAt),
  hasFailed: Boolean(row.failedAt),
  isGone: Boolean(row.goneAt),
  clusterUid: row.clusterUid ?? null,
  grownGi: row.grownGi ?? null,
  bytesPerGi: row.bytesPerGi ?? null,
})

/** Loads the desired state, and whether an operation needs a review after the pass. */
export async function loadDesired(op: Op, volume: Row | null): Promise<VolumeTarget | null> {
  const tenant = volume ? await op.reads.tenants.find(volume.tenantId) : null
  if (!volume || !tenant) return null
  const operations = await operationsOn(op, volume)
  if (!volume.goneAt) begin(volume, operations)
  const vmId = volume.vmId ?? volume.heldBy ?? null
  const vm = vmId === null ? null : await op.reads.vms.find(vmId)
  return {
    ...desiredOf(volume),
    tenantId: volume.tenantId,
    namespace: tenant.namespace,
    storageClass: volume.storageClass,
    origin: originOf(volume),
    vm: vm && { rowId: vm.id, name: vm.name },
    open: kinds.filter((kind) => operations.isOpen(kind)),
    isBeingReplaced: vm?.busyWith === 'restore',
    needsReview: operations.needReview,
  }
}

function originOf({ snapshotId, snapshotGi, copyObject, copiedGi }: Row): VolumeTarget['origin'] {
  if (snapshotId && snapshotGi) return { object: snapshotName(snapshotId), sizeGi: snapshotGi }
  return copyObject && copiedGi ? { object: copyObject, sizeGi: copiedGi } : null
}

function begin(volume: Row, operations: OpenOperations): void {
  if (volume.deleteRequestedAt) operations.supersedeAll('delete_volume')
  // The latest request wins.
  if (volume.vmId) operations.supersede('detach_volume', 'attach_volume')
  else {
    operations.supersede('attach_volume', 'detach_volume')
    operations.failKind('attach_volume', {
      code: 'conflict',
      detail: messageOf('volume.vm_gone'),
    })
  }
  for (const kind of ['create_volume', 'resize_volume', 'delete_volume'] as const)
    operations.begin(kind, 'volume')
  for (const kind of ['attach_volume', 'detach_volume'] as const) operations.begin(kind, 'vm')
}

/**
 * Ends operations that are past their deadline. Call it after the volume was observed. Nothing of
 * the volume is removed: it is ready when the cluster has created it after all. A deletion
 * continues even after its operation has ended.
 */
export async function expire(op: Op, volume: Row | null, attendance: Attendance): Promise<void> {
  if (!volume || volume.goneAt) return
  const late = (await operationsOn(op, volume)).expire(attendance)
  if (late.includes('create_volume') && !volume.grownGi) recordFailure(op, volume)
  if (late.includes('attach_volume')) await detach(op, volume)
}

/** Records what the operator must provide before the volume can be reconciled. */
export async function block(op: Op, volume: Row | null, obstacle: Message): Promise<void> {
  if (!volume || volume.goneAt) return
  const operations = await operationsOn(op, volume)
  operations.block(obstacle)
  const explanation = explainObstacle(obstacle)
  if (!differsFromRow(volume, { explanation })) return
  op.volumes.explain(volume, explanation)
  recordChange(op, volume)
}

function recordFailure(op: Op, volume: Row): void {
  op.volumes.recordFailure(volume)
  recordChange(op, volume)
}

/** Detaches the volume and enqueues its VM. */
async function detach(op: Op, volume: Row): Promise<void> {
  const vm = volume.vmId ? await op.vms.row(volume.vmId) : null
  volume.vmId = null
  recordChange(op, volume)
  if (!vm) return
  op.vms.requestPartChange(vm)
  op.changes.record('vm', { id: vm.id, version: vm.version + 1, tenantId: vm.tenantId })
  op.work.enqueue('vm', vm)
}

/** True when the row still desires the volume for which the step was decided. */
const isStillDesired = (volume: Row | null): volume is Row =>
  volume !== null && !volume.goneAt && !volume.deleteRequestedAt

export async function applied(op: Op, volume: Row | null, uid: string): Promise<void> {
  if (!isStillDesired(volume)) return
  op.volumes.remember(volume, { clusterUid: uid })
  const operations = await operationsOn(op, volume)
  operations.finish('create_volume', 'volume')
  operations.begin('create_volume', 'ready')
}

export async function opened(op: Op, volume: Row | null, observed: ObservedVolume): Promise<void> {
  if (!isStillDesired(volume) || volume.grownGi) return
  const bytes = observed.claim?.requestedBytes ?? volume.sizeGi * 2 ** 30
  op.volumes.remember(volume, { grownGi: volume.sizeGi, bytesPerGi: bytes / volume.sizeGi })
  if (volume.failedAt) op.volumes.forgetFailure(volume)
  await end(op, volume, ['create_volume'])
  await observe(op, volume, observed)
}

/** Records that the cluster has accepted the new size. */
export async function growing(op: Op, volume: Row | null): Promise<void> {
  if (!isStillDesired(volume)) return
  const operations = await operationsOn(op, volume)
  operations.finish('resize_volume', 'volume')
  operations.begin('resize_volume', 'grown')
}

export async function grown(
  op: Op,
  volume: Row | null,
  { sizeGi, observed }: { sizeGi: number; observed: ObservedVolume },
): Promise<void> {
  if (!isStillDesired(volume)) return
  op.volumes.remember(volume, { grownGi: sizeGi })
  // The operation ends only when no larger size was requested since then.
  if (sizeGi === volume.sizeGi) await end(op, volume, ['resize_volume'])
  await observe(op, volume, observed)
}

/** Records that the spec of the VM has the disk, or no longer has it. */
export async function specApplied(
  op: Op,
  volume: Row | null,
  kind: 'attach_volume' | 'detach_volume',
): Promise<void> {
  if (!volume || volume.goneAt) return
  const operations = await operationsOn(op, volume)
  operations.finish(kind, 'vm')
  operations.begin(kind, kind === 'attach_volume' ? 'attached' : 'detached')
}

/** Records the observed state, and ends operations that have reached the desired state. */
export async function observe(op: Op, volume: Row | null, observed: ObservedVolume): Promise<void> {
  if (!volume || volume.goneAt) return
  const status = statusOf(volume, observed)
  if (status.state === 'lost' && (await isBeingReplaced(op, volume))) return
  if (differsFromRow(volume, status)) {
    op.volumes.observe(volume, status)
    recordChange(op, volume)
  }
  if (!volume.deleteRequestedAt) await endWith(op, volume, { status, observed })
}

/** True when a restore has begun since the cluster was read. */
const isBeingReplaced = async (op: Op, { vmId }: Row): Promise<boolean> =>
  Boolean(vmId && (await op.vms.busyWith(vmId)) === 'restore')

async function endWith(
  op: Op,
  volume: Row,
  { status, observed }: { status: ObservedVolumeState; observed: ObservedVolume },
): Promise<void> {
  if (status.state === 'lost')
    (await operationsOn(op, volume)).failAll('conflict', messageOf('volume.removed_outside'))
  if (volume.vmId && isAttached(observed.holder)) await end(op, volume, ['attach_volume'])
  if (!volume.vmId && !isHeld(observed.holder)) await end(op, volume, ['detach_volume'])
}

function statusOf(volume: Row, observed: ObservedVolume): ObservedVolumeState {
  const desired = desiredOf(volume)
  const state = stateOf(desired, observed)
  // The holder was read for this VM only.
  const heldBy = isHeld(observed.holder) ? (volume.vmId ?? volume.heldBy ?? null) : null
  return {
    state,
    explanation: explain(desired, observed),
    heldBy,
    bound: observed.claim?.phase === 'Bound',
    settled: isSettled(volume, { state, heldBy }),
    observedVersion: observed.claim?.version ?? null,
  }
}

async function end(op: Op, volume: Row, ended: readonly OperationKind[]): Promise<void> {
  const operations = await operationsOn(op, volume)
  for (const kind of ended) operations.complete(kind)
}

export async function fail(
  op: Op,
  volume: Row | null,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  if (!isStillDesired(volume)) return
  const operations = await operationsOn(op, volume)
  const wasAttaching = operations.isOpen('attach_volume')
  operations.failAll(code, detail)
  // A volume that exists stays as it is.
  if (wasAttaching) await detach(op, volume)
  if (!volume.grownGi) recordFailure(op, volume)
}

export async function refuseGrowth(
  op: Op,
  volume: Row | null,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  if (!isStillDesired(volume) || !volume.grownGi) return
  const operations = await operationsOn(op, volume)
  operations.failKind('resize_volume', { code, detail })
  volume.sizeGi = volume.grownGi
  recordChange(op, volume)
}

export async function erase(op: Op, volume: Row | null): Promise<void> {
  if (!volume?.deleteRequestedAt || volume.goneAt) return
  await end(op, volume, ['delete_volume'])
  op.volumes.erase(volume)
  recordChange(op, volume)
}
