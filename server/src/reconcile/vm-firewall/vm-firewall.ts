import { type ClusterReader } from '../../cluster/reader.ts'
import { type ObservedObject } from '../../engine/kube/observed.ts'
import { type ObjectWriter } from '../../cluster/writer.ts'
import { stepFailpoint } from '../../domain/operation/kind.ts'
import { vmObjectNames } from '../../domain/vm/object-names.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { applyOrRecreate } from '../cluster/apply-or-recreate.ts'
import { type Unit, type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { type FirewallSettings, requireFirewallSettings } from './firewall-settings.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  outOfTime,
  waiting,
} from '../../engine/reconcile/reconciler.ts'
import { OpenOperations } from '../open-operations.ts'
import * as vmFirewallRecord from './vm-firewall-record.ts'
import { type AppliedFirewall, type FirewallTarget } from './vm-firewall-record.ts'

type FirewallCluster = { reader: Pick<ClusterReader, 'getObject'>; writer: ObjectWriter }

interface VmFirewallReconcilerParts extends UnitParts {
  cluster: FirewallCluster
  firewallSettings: () => FirewallSettings | null
  /** The delay between checks of a VM that is being created. */
  waitMs?: number
}

/**
 * Keeps the firewalls of existing VMs in the state that their security groups define. The VM
 * reconciler applies the first version with `applyFirewall` before the VM can run, and deletes the
 * firewall after the VM.
 */
export function vmFirewallReconciler({
  store,
  work,
  cluster,
  firewallSettings,
  waitMs = 500,
}: VmFirewallReconcilerParts): Reconciler {
  const unitFor = fencedUnits({ store, work }, (op, id) => op.vms.row(id))

  return {
    kind: 'vm_firewall',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const vm = await unit(loadVm)
      if (!vm) return done
      if (vm.stage === 'coming') return waiting(waitMs)
      if (vm.stage === 'leaving' || vm.stage === 'failed') return done
      if (vm.stage === 'gone') return removeFirewall(cluster, vm)
      const settings = requireFirewallSettings(firewallSettings)
      const desired = await unit((op) => vmFirewallRecord.loadDesired(op, vm, settings))
      if (desired) await updateFirewall({ unit, cluster, vm }, desired)
      return done
    },
    gaveUp: (key, lease) =>
      unitFor(
        key,
        lease,
      )(async (op, vm) => {
        if (!vm) return
        const operations = await OpenOperations.on(op, { kind: 'vm', id: vm.id })
        operations.failKind('set_vm_security_groups', outOfTime)
      }),
  }
}

interface FirewalledVm {
  id: string
  tenantId: string
  namespace: string
}

type VmRow = NonNullable<Awaited<ReturnType<Op['vms']['row']>>>
type Stage = 'coming' | 'there' | 'failed' | 'leaving' | 'gone'

async function loadVm(op: Op, vm: VmRow | null): Promise<(FirewalledVm & { stage: Stage }) | null> {
  const tenant = vm ? await op.reads.tenants.find(vm.tenantId) : null
  return vm && tenant
    ? { id: vm.id, tenantId: vm.tenantId, namespace: tenant.namespace, stage: stageOf(vm) }
    : null
}

function stageOf({ goneAt, deleteRequestedAt, failedAt, clusterUid }: VmRow): Stage {
  if (goneAt) return 'gone'
  if (deleteRequestedAt) return 'leaving'
  if (clusterUid) return 'there'
  // A retry of the deploy applies the rules of that time.
  return failedAt ? 'failed' : 'coming'
}

interface FirewallContext {
  unit: Unit<VmRow>
  cluster: { writer: ObjectWriter }
  vm: FirewalledVm
}

/** Applies the current rules of the VM, even when the cluster has other ones. */
export async function applyFirewall(
  writer: ObjectWriter,
  vm: FirewalledVm,
  desired: FirewallTarget,
): Promise<AppliedFirewall> {
  const { generation, clusterUid, builtFrom, as: spec } = desired
  const desiredPolicy = { noun: 'networkPolicy', ...referenceOf(vm), spec } as const
  // A deleted policy is created again. Otherwise the VM would keep running without its rules.
  const { uid, version } = await applyOrRecreate(writer, { ...desiredPolicy, uid: clusterUid })
  const elsewhere = await applyToOtherNetworks(writer, vm, { ...desired, uid })
  return { generation, uid, version, builtFrom, otherNetworks: elsewhere }
}

const referenceOf = ({ id, tenantId, namespace }: FirewalledVm) => ({
  namespace,
  name: vmObjectNames.firewall(id),
  tenantId,
  rowId: id,
})

/**
 * Applies the policy for the VM's other networks. The VM's own policy owns it, so the cluster
 * deletes both together. Returns the current policy.
 */
async function applyToOtherNetworks(
  writer: ObjectWriter,
  vm: FirewalledVm,
  { otherNetworks, networksUid, uid }: FirewallTarget & { uid: string },
): Promise<ObservedObject | null> {
  const reference = referenceOf(vm)
  if (otherNetworks) {
    const as = { ...otherNetworks, ownedBy: { name: reference.name, uid } }
    return writer.applyObject({ noun: 'multiNetworkPolicy', ...reference, uid: null, spec: as })
  }
  if (networksUid !== null) await writer.deleteObject('multiNetworkPolicy', reference, networksUid)
  return null
}

async function updateFirewall(
  { unit, cluster, vm }: FirewallContext,
  desired: FirewallTarget,
): Promise<void> {
  try {
    await atFailpoint(stepFailpoint('set_vm_security_groups', 'firewall'), async () => {
      const applied = await applyFirewall(cluster.writer, vm, desired)
      await unit((op) => vmFirewallRecord.applied(op, vm.id, applied))
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    await unit((op) => vmFirewallRecord.refused(op, vm.id, desired.generation))
  }
}

/** Deletes the policy of a gone VM, which a paused worker may have created after the VM ended. */
async function removeFirewall(
  { reader, writer }: FirewallCluster,
  { id, namespace }: FirewalledVm,
): Promise<Outcome> {
  const reference = { namespace, name: vmObjectNames.firewall(id) }
  const left = await reader.getObject('networkPolicy', reference)
  if (left?.rowId === id) await writer.deleteObject('networkPolicy', reference, left.uid)
  return done
}
