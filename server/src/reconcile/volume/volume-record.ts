import { type FaultCode } from '../../engine/model/fault.ts'
import { type OperationKind } from '../../domain/nouns.ts'
import { explain } from '../../domain/volume/explain.ts'
import { hasArrived, isHeld } from '../../domain/volume/holder.ts'
import { isSettled } from '../../domain/volume/settled.ts'
import { type AskedVolume, type SeenVolume, stateOf } from '../../domain/volume/state.ts'
import { snapshotName } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type Op } from '../../store/op.ts'
import { type SeenOfVolume } from '../../store/volume/volume.ts'
import { type Unit } from '../fenced-unit.ts'
import { isNews } from '../../engine/reconcile/news.ts'
import { Promises } from '../promise.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

type Row = NonNullable<Awaited<ReturnType<Op['volumes']['row']>>>

/** One fenced transaction on the row of a volume. */
export type VolumeUnit = Unit<Row>

/** What the row of a volume says, with everything that it takes to carry it out. */
export interface VolumeToKeep extends AskedVolume {
  tenantId: string
  namespace: string
  storageClass: string
  /** What it begins as; null of an empty one. */
  origin: { object: string; sizeGi: number } | null
  /** The machine that it is to be in, or that has not let go of it. */
  vm: { rowId: string; name: string } | null
  open: readonly OperationKind[]
  /**
   * Its machine is being brought back to a snapshot, for which the claim is replaced by another
   * one.
   */
  isBeingReplaced: boolean
}

const kinds = [
  'create_volume',
  'resize_volume',
  'attach_volume',
  'detach_volume',
  'delete_volume',
] as const satisfies readonly OperationKind[]

const on = (op: Op, { id }: Row): Promise<Promises> => Promises.on(op, { kind: 'volume', id })

function note(op: Op, { id, version, tenantId }: Row): void {
  op.changes.note('volume', { id, version: version + 1, tenantId })
}

const askedIn = (row: Row): AskedVolume => ({
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

/** What the row asks for, and first of all whether time is up for what was promised. */
export async function askedOf(op: Op, volume: Row | null): Promise<VolumeToKeep | null> {
  const tenant = volume ? await op.reads.tenants.find(volume.tenantId) : null
  if (!volume || !tenant) return null
  const promises = await on(op, volume)
  if (!volume.goneAt) await begin(op, volume, promises)
  const vmId = volume.vmId ?? volume.heldBy ?? null
  const vm = vmId === null ? null : await op.reads.vms.find(vmId)
  return {
    ...askedIn(volume),
    tenantId: volume.tenantId,
    namespace: tenant.namespace,
    storageClass: volume.storageClass,
    origin: originOf(volume),
    vm: vm && { rowId: vm.id, name: vm.name },
    open: kinds.filter((kind) => promises.isOpen(kind)),
    isBeingReplaced: vm?.busyWith === 'restore',
  }
}

function originOf({ snapshotId, snapshotGi, copyObject, copiedGi }: Row): VolumeToKeep['origin'] {
  if (snapshotId && snapshotGi) return { object: snapshotName(snapshotId), sizeGi: snapshotGi }
  return copyObject && copiedGi ? { object: copyObject, sizeGi: copiedGi } : null
}

async function begin(op: Op, volume: Row, promises: Promises): Promise<void> {
  if (volume.deleteRequestedAt) promises.supersedeAll('delete_volume')
  // Nobody has asked for its end: it was copied for a machine that could not be made.
  if (volume.deleteRequestedAt && !promises.isOpen('delete_volume'))
    promises.fail('conflict', messageOf('volume.copy_in_vain'))
  // The last wish counts.
  if (volume.vmId) promises.supersede('detach_volume', 'attach_volume')
  else {
    promises.supersede('attach_volume', 'detach_volume')
    promises.refuse('attach_volume', {
      code: 'conflict',
      detail: messageOf('volume.vm_gone'),
    })
  }
  for (const kind of ['create_volume', 'resize_volume', 'delete_volume'] as const)
    promises.begin(kind, 'volume')
  for (const kind of ['attach_volume', 'detach_volume'] as const) promises.begin(kind, 'machine')
  const before = kinds.filter((kind) => promises.isOpen(kind))
  promises.expire()
  for (const kind of before) if (!promises.isOpen(kind)) await undo(op, volume, kind)
}

/**
 * What was promised and did not come about leaves nothing behind. What was to go, is to go all the
 * same.
 */
async function undo(op: Op, volume: Row, kind: OperationKind): Promise<void> {
  if (kind === 'create_volume') {
    op.volumes.giveUp(volume)
    note(op, volume)
  }
  if (kind === 'attach_volume') await takeOut(op, volume)
}

/** It is to be in no machine any more, which its machine is told. */
async function takeOut(op: Op, volume: Row): Promise<void> {
  const vm = volume.vmId ? await op.vms.row(volume.vmId) : null
  volume.vmId = null
  note(op, volume)
  if (!vm) return
  op.vms.changeParts(vm)
  op.changes.note('vm', { id: vm.id, version: vm.version + 1, tenantId: vm.tenantId })
  op.work.ring('vm', vm)
}

/** Whether the row still asks for what the decision was made about. */
const isWanted = (volume: Row | null): volume is Row =>
  volume !== null && !volume.goneAt && !volume.deleteRequestedAt && !volume.failedAt

export async function applied(op: Op, volume: Row | null, uid: string): Promise<void> {
  if (!isWanted(volume)) return
  op.volumes.remember(volume, { clusterUid: uid })
  const promises = await on(op, volume)
  promises.finish('create_volume', 'volume')
  promises.begin('create_volume', 'ready')
}

export async function opened(op: Op, volume: Row | null, seen: SeenVolume): Promise<void> {
  if (!isWanted(volume) || volume.grownGi) return
  const bytes = seen.claim?.requestedBytes ?? volume.sizeGi * 2 ** 30
  op.volumes.remember(volume, { grownGi: volume.sizeGi, bytesPerGi: bytes / volume.sizeGi })
  await end(op, volume, ['create_volume'])
  await observe(op, volume, seen)
}

/** The cluster has taken the order. */
export async function growing(op: Op, volume: Row | null): Promise<void> {
  if (!isWanted(volume)) return
  const promises = await on(op, volume)
  promises.finish('resize_volume', 'volume')
  promises.begin('resize_volume', 'grown')
}

export async function grown(
  op: Op,
  volume: Row | null,
  { sizeGi, seen }: { sizeGi: number; seen: SeenVolume },
): Promise<void> {
  if (!isWanted(volume)) return
  op.volumes.remember(volume, { grownGi: sizeGi })
  // More was asked meanwhile; only then is it all.
  if (sizeGi === volume.sizeGi) await end(op, volume, ['resize_volume'])
  await observe(op, volume, seen)
}

/** The machine has been told of the disk, or of its absence. */
export async function told(
  op: Op,
  volume: Row | null,
  kind: 'attach_volume' | 'detach_volume',
): Promise<void> {
  if (!volume || volume.goneAt) return
  const promises = await on(op, volume)
  promises.finish(kind, 'machine')
  promises.begin(kind, kind === 'attach_volume' ? 'attached' : 'detached')
}

/** Writes down what was seen, and ends what was promised when it is as it was asked. */
export async function observe(op: Op, volume: Row | null, seen: SeenVolume): Promise<void> {
  if (!volume || volume.goneAt) return
  const found = foundOf(volume, seen)
  if (found.state === 'lost' && (await isBeingReplaced(op, volume))) return
  if (isNews(volume, found)) {
    op.volumes.observe(volume, found)
    note(op, volume)
  }
  if (!volume.deleteRequestedAt) await endWith(op, volume, { found, seen })
}

/** A restore may have begun since somebody looked. */
const isBeingReplaced = async (op: Op, { vmId }: Row): Promise<boolean> =>
  Boolean(vmId && (await op.vms.busyWith(vmId)) === 'restore')

async function endWith(
  op: Op,
  volume: Row,
  { found, seen }: { found: SeenOfVolume; seen: SeenVolume },
): Promise<void> {
  if (found.state === 'lost')
    (await on(op, volume)).fail('conflict', messageOf('volume.removed_outside'))
  if (volume.vmId && hasArrived(seen.holder)) await end(op, volume, ['attach_volume'])
  if (!volume.vmId && !isHeld(seen.holder)) await end(op, volume, ['detach_volume'])
}

function foundOf(volume: Row, seen: SeenVolume): SeenOfVolume {
  const asked = askedIn(volume)
  const state = stateOf(asked, seen)
  // Only of the machine that was looked at.
  const heldBy = isHeld(seen.holder) ? (volume.vmId ?? volume.heldBy ?? null) : null
  return {
    state,
    explanation: explain(asked, seen),
    heldBy,
    bound: seen.claim?.phase === 'Bound',
    settled: isSettled(volume, { state, heldBy }),
    seenVersion: seen.claim?.version ?? null,
  }
}

async function end(op: Op, volume: Row, ended: readonly OperationKind[]): Promise<void> {
  const promises = await on(op, volume)
  for (const kind of ended) promises.complete(kind)
}

export async function fail(
  op: Op,
  volume: Row | null,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  if (!isWanted(volume)) return
  const promises = await on(op, volume)
  const wasComing = promises.isOpen('attach_volume')
  promises.fail(code, detail)
  // What exists stays as it is; what could not be made leaves nothing behind.
  if (wasComing) await takeOut(op, volume)
  if (volume.grownGi) return
  op.volumes.giveUp(volume)
  note(op, volume)
}

export async function refuseGrowth(
  op: Op,
  volume: Row | null,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  if (!isWanted(volume) || !volume.grownGi) return
  const promises = await on(op, volume)
  promises.refuse('resize_volume', { code, detail })
  volume.sizeGi = volume.grownGi
  note(op, volume)
}

export async function erase(op: Op, volume: Row | null): Promise<void> {
  if (!volume?.deleteRequestedAt || volume.goneAt) return
  await end(op, volume, ['delete_volume'])
  op.volumes.erase(volume)
  note(op, volume)
}
