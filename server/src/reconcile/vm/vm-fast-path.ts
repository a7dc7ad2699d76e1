import { type ClusterWatcher } from '../../cluster/watcher.ts'
import { type VmStep, nextStep } from '../../domain/vm/next-step.ts'
import { type ObservedVm } from '../../domain/vm/observed.ts'
import { type Op } from '../../store/op.ts'
import { mustCompare } from './vm-drift.ts'
import { mayBeFilling } from './vm-disks.ts'
import { type VmRow, statusOf, isBehind } from './vm-status.ts'
import { type FirewallSettings, requireFirewallSettings } from '../vm-firewall/firewall-settings.ts'
import * as vmFirewallRecord from '../vm-firewall/vm-firewall-record.ts'
import { type FirewallTarget } from '../vm-firewall/vm-firewall-record.ts'
import * as vmRecord from './vm-record.ts'
import { type VmTarget } from './vm-record.ts'
import * as vmRewiring from './vm-rewiring.ts'

export interface FastPathResult {
  desired: VmTarget
  /** The step that the watch cache suggests; null when the API server must be read. */
  hint: { step: VmStep; observed: ObservedVm } | null
  /** True when the pass is complete. */
  isDone: boolean
  /** The desired firewall of a VM that may be created now. */
  firewall: FirewallTarget | null
}

interface FastPathContext {
  cluster: Pick<ClusterWatcher, 'getCachedVm'>
  firewallSettings: () => FirewallSettings | null
}

/**
 * Decides a reconcile from the watch cache alone when that is safe. The status is recorded in the
 * same transaction when no operation ends with it. Most passes of a deploy end here without an API
 * call. Creating and deleting are never decided from the cache.
 */
export async function tryFastPath(
  op: Op,
  vm: VmRow | null,
  { cluster, firewallSettings }: FastPathContext,
): Promise<FastPathResult | null> {
  const desired = await vmRecord.loadDesired(op, vm)
  if (!desired || !vm) return null
  const hint = hintOf(desired, cluster)
  const isDone =
    hint?.step.do === 'observe' &&
    !mayBeFilling(desired) &&
    !desired.hasIsoToRemove &&
    !mustCompare(desired, hint.observed) &&
    !endsSomething(vm, desired, hint.observed)
  if (isDone) await vmRecord.observe(op, vm, hint.observed)
  const firewall = isToBeCreated(desired)
    ? await vmFirewallRecord.loadDesired(op, vm, requireFirewallSettings(firewallSettings))
    : null
  return { desired, hint, isDone, firewall }
}

const isToBeCreated = (desired: VmTarget): boolean =>
  desired.clusterUid === null && !desired.isLeaving && areNetworksReady(desired)

/**
 * True when the networks allow the VM to run. Without an attachment its pod would not start, and no
 * status would tell the tenant why.
 */
export const areNetworksReady = ({ nics, mustStart, rewiring }: VmTarget): boolean =>
  !(mustStart || rewiring?.isLive) ||
  nics.every(({ isNetworkActive, isLeaving }) => isNetworkActive || isLeaving)

function endsSomething(vm: VmRow, desired: VmTarget, observed: ObservedVm): boolean {
  const status = statusOf(vm, observed, desired.now)
  return (
    vmRecord.endsOperation(vm, status) ||
    desired.open.includes('adopt_vm') ||
    vmRewiring.settledOperations(desired.rewiring, status).length > 0
  )
}

function hintOf(
  desired: VmTarget,
  cluster: Pick<ClusterWatcher, 'getCachedVm'>,
): FastPathResult['hint'] {
  // A command to a VMI needs a fresh read: a cached state from before may look like the end of the
  // pause that is requested now.
  const observed = desired.vmiCommand || desired.restore ? null : cluster.getCachedVm(desired)
  if (!observed || isBehind(observed, desired.spec.observedVersion ?? null)) return null
  const step = nextStep(desired, observed)
  return step.do === 'observe' || step.do === 'wait' ? { step, observed } : null
}
