import { type ClusterReader } from '../../cluster/reader.ts'
import { type SeenObject } from '../../engine/kube/seen.ts'
import { type ObjectWriter } from '../../cluster/writer.ts'
import { stepPoint } from '../../domain/operation/kind.ts'
import { vmParts } from '../../domain/vm/parts.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { Fault } from '../../engine/model/fault.ts'
import { type Op } from '../../store/op.ts'
import { applyAnew } from '../cluster/apply-anew.ts'
import { type Unit, type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import { type Outcome, type Reconciler, done } from '../../engine/reconcile/reconciler.ts'
import * as vmGuardRecord from './vm-guard-record.ts'
import { type AppliedGuard, type AskedGuard } from './vm-guard-record.ts'
import { messageOf } from '../../engine/model/message.ts'

type GuardCluster = { reader: Pick<ClusterReader, 'getObject'>; writer: ObjectWriter }

interface VmGuardReconcilerParts extends UnitParts {
  cluster: GuardCluster
  /**
   * Whether the cluster takes filters for networks other than its own; null while that is not
   * known.
   */
  takesFilters: () => boolean | null
  /** How soon to look again at a machine that is being made. */
  waitMs?: number
}

/**
 * Keeps what machines let through as their security groups say: of those that are there. The first
 * time it is said while the machine is made, before anything can run; whoever makes it does that
 * with `putGuard`, and takes it away when the machine has gone.
 */
export function vmGuardReconciler({
  store,
  work,
  cluster,
  takesFilters,
  waitMs = 500,
}: VmGuardReconcilerParts): Reconciler {
  const unitFor = fencedUnits({ store, work }, (op, id) => op.vms.row(id))

  return {
    kind: 'vm_guard',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const vm = await unit(guardedOf)
      if (!vm) return done
      if (vm.stage === 'coming') return { again: { afterMs: waitMs } }
      if (vm.stage === 'leaving') return done
      if (vm.stage === 'gone') return removeGuard(cluster, vm)
      const asked = await askedNow({ unit, cluster, vm, takesFilters })
      if (asked) await followGuard({ unit, cluster, vm, takesFilters }, asked)
      return done
    },
  }
}

interface GuardedVm {
  id: string
  tenantId: string
  namespace: string
}

type VmRow = NonNullable<Awaited<ReturnType<Op['vms']['row']>>>
type Stage = 'coming' | 'there' | 'leaving' | 'gone'

async function guardedOf(op: Op, vm: VmRow | null): Promise<(GuardedVm & { stage: Stage }) | null> {
  const tenant = vm ? await op.reads.tenants.find(vm.tenantId) : null
  return vm && tenant
    ? { id: vm.id, tenantId: vm.tenantId, namespace: tenant.namespace, stage: stageOf(vm) }
    : null
}

function stageOf({ goneAt, deleteRequestedAt, failedAt, clusterUid }: VmRow): Stage {
  if (goneAt) return 'gone'
  if (deleteRequestedAt ?? failedAt) return 'leaving'
  return clusterUid ? 'there' : 'coming'
}

interface Following {
  unit: Unit<VmRow>
  cluster: { writer: ObjectWriter }
  vm: GuardedVm
  takesFilters: () => boolean | null
}

function askedNow({ unit, vm, takesFilters }: Following): Promise<AskedGuard | null> {
  const takes = filtersAreTaken(takesFilters)
  return unit((op) => vmGuardRecord.askedOf(op, vm, { takesFilters: takes }))
}

/**
 * What is not known yet must not be taken for a no: the machine would come up without its filters.
 */
export function filtersAreTaken(takesFilters: () => boolean | null): boolean {
  const takes = takesFilters()
  if (takes === null)
    throw new Fault('cluster_unavailable', messageOf('capability.untold_now'), {
      retryAfterSeconds: 1,
    })
  return takes
}

/** Tells the cluster what the machine's groups let through, whatever it was told before. */
export async function putGuard(
  writer: ObjectWriter,
  vm: GuardedVm,
  asked: AskedGuard,
): Promise<AppliedGuard> {
  const { generation, clusterUid, as } = asked
  const wanted = { noun: 'networkPolicy', ...placeOf(vm), as } as const
  // Without it everything would stay as it was.
  const { uid, version } = await applyAnew(writer, { ...wanted, uid: clusterUid })
  const elsewhere = await tellElsewhere(writer, vm, { ...asked, uid })
  return { generation, uid, version, elsewhere }
}

const placeOf = ({ id, tenantId, namespace }: GuardedVm) => ({
  namespace,
  name: vmParts.guard(id),
  tenantId,
  rowId: id,
})

/**
 * What holds in its other networks belongs to the policy, with which the cluster removes it.
 * Answers with what is there now.
 */
async function tellElsewhere(
  writer: ObjectWriter,
  vm: GuardedVm,
  { elsewhere, networksUid, uid }: AskedGuard & { uid: string },
): Promise<SeenObject | null> {
  const place = placeOf(vm)
  if (elsewhere) {
    const as = { ...elsewhere, ownedBy: { name: place.name, uid } }
    return writer.applyObject({ noun: 'multiNetworkPolicy', ...place, uid: null, as })
  }
  if (networksUid !== null) await writer.deleteObject('multiNetworkPolicy', place, networksUid)
  return null
}

async function followGuard({ unit, cluster, vm }: Following, asked: AskedGuard): Promise<void> {
  try {
    await atFailpoint(stepPoint('set_vm_security_groups', 'guard'), async () => {
      const applied = await putGuard(cluster.writer, vm, asked)
      await unit((op) => vmGuardRecord.applied(op, vm.id, applied))
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    await unit((op) => vmGuardRecord.refused(op, vm.id, asked.generation))
  }
}

/** Of a machine that is gone: what a worker made that was paused beyond its end. */
async function removeGuard(
  { reader, writer }: GuardCluster,
  { id, namespace }: GuardedVm,
): Promise<Outcome> {
  const place = { namespace, name: vmParts.guard(id) }
  const left = await reader.getObject('networkPolicy', place)
  if (left?.rowId === id) await writer.deleteObject('networkPolicy', place, left.uid)
  return done
}
