import { type ClusterWatcher } from '../../cluster/watcher.ts'
import { type MachineStep, nextStep } from '../../domain/vm/next-step.ts'
import { type SeenVm } from '../../domain/vm/seen.ts'
import { type Op } from '../../store/op.ts'
import { mayBeFilling } from './vm-disks.ts'
import { type VmRow, foundOf, isBehind } from './vm-found.ts'
import { filtersAreTaken } from '../vm-guard/vm-guard.ts'
import * as vmFirewallRecord from '../vm-guard/vm-guard-record.ts'
import { type AskedGuard } from '../vm-guard/vm-guard-record.ts'
import * as vmRecord from './vm-record.ts'
import { type AskedVm } from './vm-record.ts'
import * as vmRewiring from './vm-rewiring.ts'

export interface Glance {
  desired: AskedVm
  /** The step that the watch cache suggests; null when the API server must be read. */
  hint: { step: MachineStep; observed: SeenVm } | null
  /** True when the pass is complete. */
  isDone: boolean
  /** The desired firewall of a VM that may be created now. */
  firewall: AskedGuard | null
}

interface FastPathContext {
  cluster: Pick<ClusterWatcher, 'recallVm'>
  takesFilters: () => boolean | null
}

/**
 * Decides a reconcile from the watch cache alone when that is safe. The status is recorded in the
 * same transaction when no operation ends with it. Most passes of a deploy end here without an API
 * call. Creating and deleting are never decided from the cache.
 */
export async function glanceAt(
  op: Op,
  vm: VmRow | null,
  { cluster, takesFilters }: FastPathContext,
): Promise<Glance | null> {
  const desired = await vmRecord.askedOf(op, vm)
  if (!desired || !vm) return null
  const hint = hintOf(desired, cluster)
  const isDone =
    hint?.step.do === 'observe' &&
    !mayBeFilling(desired) &&
    !desired.hasIsoToRemove &&
    !endsSomething(vm, desired, hint.observed)
  if (isDone) await vmRecord.observe(op, vm, hint.observed)
  const firewall = isToBeCreated(desired)
    ? await vmFirewallRecord.askedOf(op, vm, { takesFilters: filtersAreTaken(takesFilters) })
    : null
  return { desired, hint, isDone, firewall }
}

const isToBeCreated = (desired: AskedVm): boolean =>
  desired.clusterUid === null && !desired.isLeaving && isWired(desired)

/**
 * True when the networks allow the VM to run. Without an attachment its pod would not start, and no
 * status would tell the tenant why.
 */
export const isWired = ({ nics, isToStart, rewiring }: AskedVm): boolean =>
  !(isToStart || rewiring?.isLive) || nics.every(({ isOpen, isLeaving }) => isOpen || isLeaving)

function endsSomething(vm: VmRow, desired: AskedVm, observed: SeenVm): boolean {
  const status = foundOf(vm, observed, desired.now)
  return (
    vmRecord.endsSomething(vm, status) || vmRewiring.settledIn(desired.rewiring, status).length > 0
  )
}

function hintOf(desired: AskedVm, cluster: Pick<ClusterWatcher, 'recallVm'>): Glance['hint'] {
  // A command to a VMI needs a fresh read: a cached state from before may look like the end of the
  // pause that is requested now.
  const observed = desired.runWish || desired.restore ? null : cluster.recallVm(desired)
  if (!observed || isBehind(observed, desired.spec.seenVersion ?? null)) return null
  const step = nextStep(desired, observed)
  return step.do === 'observe' || step.do === 'wait' ? { step, observed } : null
}
