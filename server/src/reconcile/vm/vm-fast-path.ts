import { type ClusterWatcher } from '../../cluster/watcher.ts'
import { type MachineStep, nextStep } from '../../domain/vm/next-step.ts'
import { type SeenVm } from '../../domain/vm/seen.ts'
import { type Op } from '../../store/op.ts'
import { mayBeFilling } from './vm-disks.ts'
import { type VmRow, foundOf, isBehind } from './vm-found.ts'
import { filtersAreTaken } from '../vm-guard/vm-guard.ts'
import * as vmGuardRecord from '../vm-guard/vm-guard-record.ts'
import { type AskedGuard } from '../vm-guard/vm-guard-record.ts'
import * as vmRecord from './vm-record.ts'
import { type AskedVm } from './vm-record.ts'
import * as vmRewiring from './vm-rewiring.ts'

export interface Glance {
  asked: AskedVm
  /** What is to be done by what streams told; null where the cluster has to be asked. */
  hint: { step: MachineStep; seen: SeenVm } | null
  /** That was all there was to do. */
  isDone: boolean
  /** What is to be let through, of a machine that may be made now. */
  guard: AskedGuard | null
}

interface Looking {
  cluster: Pick<ClusterWatcher, 'recallVm'>
  takesFilters: () => boolean | null
}

/**
 * What is asked of a machine, and what streams told of it. That is enough to write down what is
 * seen, and where nothing ends with it, it is written in the same unit: most looks of a deploy are
 * only that. Making and removing are decided on what is there.
 */
export async function glanceAt(
  op: Op,
  vm: VmRow | null,
  { cluster, takesFilters }: Looking,
): Promise<Glance | null> {
  const asked = await vmRecord.askedOf(op, vm)
  if (!asked || !vm) return null
  const hint = hintOf(asked, cluster)
  const isDone =
    hint?.step.do === 'observe' &&
    !mayBeFilling(asked) &&
    !asked.hasIsoToRemove &&
    !endsSomething(vm, asked, hint.seen)
  if (isDone) await vmRecord.observe(op, vm, hint.seen)
  const guard = isToBeMade(asked)
    ? await vmGuardRecord.askedOf(op, vm, { takesFilters: filtersAreTaken(takesFilters) })
    : null
  return { asked, hint, isDone, guard }
}

const isToBeMade = (asked: AskedVm): boolean =>
  asked.clusterUid === null && !asked.isLeaving && isWired(asked)

/**
 * What is to run waits for its networks: without an attachment its pod would not come up, and
 * nobody could tell a tenant why.
 */
export const isWired = ({ nics, isToStart, rewiring }: AskedVm): boolean =>
  !(isToStart || rewiring?.isLive) || nics.every(({ isOpen, isLeaving }) => isOpen || isLeaving)

function endsSomething(vm: VmRow, asked: AskedVm, seen: SeenVm): boolean {
  const found = foundOf(vm, seen, asked.now)
  return vmRecord.endsSomething(vm, found) || vmRewiring.settledIn(asked.rewiring, found).length > 0
}

function hintOf(asked: AskedVm, cluster: Pick<ClusterWatcher, 'recallVm'>): Glance['hint'] {
  // Of a run it is not enough: a moment that is over looks like the end of a pause that is asked
  // for now.
  const seen = asked.runWish || asked.restore ? null : cluster.recallVm(asked)
  if (!seen || isBehind(seen, asked.spec.seenVersion ?? null)) return null
  const step = nextStep(asked, seen)
  return step.do === 'observe' || step.do === 'wait' ? { step, seen } : null
}
