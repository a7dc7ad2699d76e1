import { type ClusterWriter } from '../../cluster/writer.ts'
import { type VmDifference } from '../../domain/vm-drift/drift.ts'
import { type ObservedVm } from '../../domain/vm/observed.ts'
import { differsFromRow } from '../../engine/reconcile/row-difference.ts'
import { type Op } from '../../store/op.ts'
import { type VmSettings, vmObjectOf } from './vm-desired.ts'
import { loadParts } from './vm-parts-record.ts'
import { type VmTarget, type VmUnit, recordChange } from './vm-record.ts'
import { type VmRow } from './vm-status.ts'

/*
 * Finds out that another client has changed the VM object. The object is read and compared only
 * when its generation is a new one.
 */

interface Comparison {
  generation: number | null
  differences: VmDifference[]
}

/** True when the applied VM object has a generation that was not compared yet. */
export const mustCompare = (
  { spec, clusterUid, generation, appliedGeneration, isLeaving, restore }: VmTarget,
  observed: ObservedVm | null,
): observed is ObservedVm =>
  observed !== null &&
  observed.uid === clusterUid &&
  !observed.isDeleting &&
  appliedGeneration === generation &&
  !isLeaving &&
  // KubeVirt changes the spec during a restore, and Berth applies it again at the end.
  restore === null &&
  observed.generation !== (spec.comparedGeneration ?? null)

interface DriftContext {
  unit: VmUnit
  desired: VmTarget
  observed: ObservedVm | null
  cluster: { writer: Pick<ClusterWriter, 'compareVm'> }
  settings: VmSettings
}

/** Compares the VM object when it has changed. Returns null when there is nothing to compare. */
export async function compareIfChanged({
  unit,
  desired,
  observed,
  cluster,
  settings,
}: DriftContext): Promise<Comparison | null> {
  if (!mustCompare(desired, observed)) return null
  const parts = await unit(async (op, vm) => vm && loadParts(op, vm.id))
  return parts && cluster.writer.compareVm(vmObjectOf({ ...desired, ...parts }, settings))
}

/** Records the result of a comparison, unless the VM has been changed in Berth since. */
export function recordComparison(
  op: Op,
  vm: VmRow | null,
  { comparison, generation }: { comparison: Comparison | null; generation: number },
): void {
  if (!vm || vm.goneAt || !comparison || vm.generation !== generation) return
  const { differences } = comparison
  const drift = differences.length === 0 ? null : differences
  const isNew = differsFromRow(vm, { drift })
  op.vms.recordComparison(vm, { generation: comparison.generation, drift })
  if (isNew) recordChange(op, vm)
}

/**
 * Records that Berth has applied the VM object, which has this generation now. A generation that is
 * more than one ahead contains a change of another client, so it is compared. So is a VM with a
 * drift, because an apply does not remove what was added to it.
 */
export function recordApply(op: Op, vm: VmRow, generation: number | null): void {
  const isOwn = generation !== null && generation <= (vm.comparedGeneration ?? 0) + 1
  const drift = vm.drift ?? null
  op.vms.recordComparison(vm, { generation: isOwn && !drift ? generation : null, drift })
}
