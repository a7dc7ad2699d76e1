import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterError } from '../../engine/kube/cluster-error.ts'
import { type ObjectWriter } from '../../cluster/writer.ts'
import { stepFailpoint } from '../../domain/operation/kind.ts'
import { vmObjectNames } from '../../domain/vm/object-names.ts'
import { sshPort } from '../../domain/vm-ssh/rules.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { applyOrRecreate } from '../cluster/apply-or-recreate.ts'
import { type Unit, type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  atOnce,
  done,
  waiting,
} from '../../engine/reconcile/reconciler.ts'
import * as vmSshRecord from './vm-ssh-record.ts'
import { type SshTarget } from './vm-ssh-record.ts'

interface SshCluster {
  reader: Pick<ClusterReader, 'getObject' | 'getService'>
  writer: ObjectWriter
}

interface VmSshReconcilerParts extends UnitParts {
  cluster: SshCluster
  /** The delay between checks whether the VM's firewall admits SSH. */
  waitMs?: number
}

type VmRow = NonNullable<Awaited<ReturnType<Op['vms']['row']>>>

interface SshContext {
  unit: Unit<VmRow>
  cluster: SshCluster
  desired: SshTarget
}

/**
 * Keeps a node port that leads to the SSH port of a VM: a Service without a selector, and an
 * EndpointSlice with the VM's current address. The slice is removed when the VM has no address,
 * because the cluster soon gives that address to another pod.
 */
export function vmSshReconciler({
  store,
  work,
  cluster,
  waitMs = 200,
}: VmSshReconcilerParts): Reconciler {
  const unitFor = fencedUnits({ store, work }, (op, id) => op.vms.row(id))

  return {
    kind: 'vm_ssh',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const desired = await unit(vmSshRecord.loadDesired)
      if (!desired) return done
      // The firewall is updated first, so that the result holds when the operation ends.
      if (!desired.isLeaving && !desired.isFirewallApplied) return waiting(waitMs)
      const context = { unit, cluster, desired }
      return desired.isDesired ? open(context) : close(context)
    },
    gaveUp: (key, lease) => unitFor(key, lease)(vmSshRecord.gaveUp),
  }
}

async function open(context: SshContext): Promise<Outcome> {
  const { unit, desired } = context
  if (desired.refusedGeneration === desired.generation) return done
  try {
    await atStep(context, 'port', () => openPort(context))
  } catch (error) {
    if (!isRefusal(error)) throw error
    return refuse(context, error)
  }
  await atStep(context, 'address', async () => {
    const slice =
      desired.podAddress === null
        ? await removeSlice(context)
        : await pointAt(context, desired.podAddress)
    await unit((op, vm) =>
      vmSshRecord.addressApplied(op, vm, {
        generation: desired.generation,
        address: desired.podAddress,
        slice,
      }),
    )
  })
  return done
}

/** A change outside of an operation, such as a VM that has moved, has no failpoint. */
const atStep = (
  { desired: { open: kind } }: SshContext,
  step: string,
  act: () => Promise<void>,
): Promise<void> => (kind === null ? act() : atFailpoint(stepFailpoint(kind, step), act))

const referenceOf = ({ id, namespace }: SshTarget) => ({ namespace, name: vmObjectNames.ssh(id) })
const ownerOf = ({ id, tenantId }: SshTarget) => ({ tenantId, rowId: id })

async function openPort({ unit, cluster: { reader, writer }, desired }: SshContext): Promise<void> {
  const as = {
    portName: 'ssh',
    port: sshPort,
    nodePort: desired.wantedNodePort ?? desired.nodePort,
  }
  await applyOrRecreate(writer, {
    noun: 'service',
    ...referenceOf(desired),
    ...ownerOf(desired),
    uid: desired.serviceUid,
    spec: as,
  })
  const service = await reader.getService(referenceOf(desired))
  if (service) await unit((op, vm) => vmSshRecord.opened(op, vm, service))
}

async function pointAt(
  { cluster: { writer }, desired }: SshContext,
  address: string,
): Promise<{ uid: string; version: string }> {
  const as = { service: vmObjectNames.ssh(desired.id), portName: 'ssh', port: sshPort, address }
  return applyOrRecreate(writer, {
    noun: 'endpointSlice',
    ...referenceOf(desired),
    ...ownerOf(desired),
    uid: desired.sliceUid,
    spec: as,
  })
}

async function refuse({ unit, desired }: SshContext, error: ClusterError): Promise<Outcome> {
  const { generation, wantedNodePort, nodePort } = desired
  const isPort = error.fields.some(({ path }) => path.endsWith('.nodePort'))
  // No user requested this port. It was the previous one and is taken now, so any other port will
  // do.
  if (isPort && wantedNodePort === null && nodePort !== null) {
    await unit(async (op) => op.vmSsh.remember(desired.id, { nodePort: null, serviceUid: null }))
    return atOnce
  }
  const refusal = isPort ? 'port_taken' : 'not_possible'
  await unit((op, vm) => vmSshRecord.refused(op, vm, { generation, refusal, wantedNodePort }))
  return done
}

/** Removes the endpoint slice first, and then the port. */
async function close(context: SshContext): Promise<Outcome> {
  const { unit, desired } = context
  await atStep(context, 'port', async () => {
    await removeSlice(context)
    await remove(context, 'service')
    await unit((op, vm) => vmSshRecord.closed(op, vm, desired.generation))
  })
  return done
}

async function removeSlice(context: SshContext): Promise<null> {
  await remove(context, 'endpointSlice')
  return null
}

/** Removes the object, even when a paused worker created it without recording it. */
async function remove(
  { cluster: { reader, writer }, desired }: SshContext,
  noun: 'service' | 'endpointSlice',
): Promise<void> {
  const left = await reader.getObject(noun, referenceOf(desired))
  if (left?.rowId === desired.id) await writer.deleteObject(noun, referenceOf(desired), left.uid)
}
