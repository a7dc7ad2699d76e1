import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterError } from '../../engine/kube/cluster-error.ts'
import { type ObjectWriter } from '../../cluster/writer.ts'
import { stepPoint } from '../../domain/operation/kind.ts'
import { vmParts } from '../../domain/vm/parts.ts'
import { sshPort } from '../../domain/vm-ssh/rules.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { applyAnew } from '../cluster/apply-anew.ts'
import { type Unit, type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import { type Outcome, type Reconciler, atOnce, done } from '../../engine/reconcile/reconciler.ts'
import * as vmSshRecord from './vm-ssh-record.ts'
import { type AskedSsh } from './vm-ssh-record.ts'

interface SshCluster {
  reader: Pick<ClusterReader, 'getObject' | 'getService'>
  writer: ObjectWriter
}

interface VmSshReconcilerParts extends UnitParts {
  cluster: SshCluster
  /** How soon to look again whether the machine's guard lets it in. */
  waitMs?: number
}

type VmRow = NonNullable<Awaited<ReturnType<Op['vms']['row']>>>

interface Leading {
  unit: Unit<VmRow>
  cluster: SshCluster
  asked: AskedSsh
}

/**
 * Keeps a port of the cluster that leads to the SSH of a machine: a service that selects nobody,
 * and an endpoint slice with the address that the machine has now. Without that address the slice
 * is taken away, because the cluster gives the address to somebody else soon.
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
      const asked = await unit(vmSshRecord.askedOf)
      if (!asked) return done
      // First the machine lets it in, or does not any more: what is promised holds when it has
      // ended.
      if (!asked.isLeaving && !asked.isGuarded) return { again: { afterMs: waitMs } }
      const leading = { unit, cluster, asked }
      return asked.isWanted ? open(leading) : close(leading)
    },
  }
}

async function open(leading: Leading): Promise<Outcome> {
  const { unit, asked } = leading
  if (asked.refusedGeneration === asked.generation) return done
  try {
    await atStep(leading, 'port', () => openPort(leading))
  } catch (error) {
    if (!isRefusal(error)) throw error
    return refuse(leading, error)
  }
  await atStep(leading, 'address', async () => {
    const slice =
      asked.podAddress === null
        ? await removeSlice(leading)
        : await pointAt(leading, asked.podAddress)
    await unit((op, vm) =>
      vmSshRecord.pointed(op, vm, {
        generation: asked.generation,
        address: asked.podAddress,
        slice,
      }),
    )
  })
  return done
}

/** What follows the machine beside any promise has no step. */
const atStep = (
  { asked: { open: kind } }: Leading,
  step: string,
  act: () => Promise<void>,
): Promise<void> => (kind === null ? act() : atFailpoint(stepPoint(kind, step), act))

const placeOf = ({ id, namespace }: AskedSsh) => ({ namespace, name: vmParts.ssh(id) })
const ownerOf = ({ id, tenantId }: AskedSsh) => ({ tenantId, rowId: id })

async function openPort({ unit, cluster: { reader, writer }, asked }: Leading): Promise<void> {
  const as = { portName: 'ssh', port: sshPort, nodePort: asked.wantedNodePort ?? asked.nodePort }
  await applyAnew(writer, {
    noun: 'service',
    ...placeOf(asked),
    ...ownerOf(asked),
    uid: asked.serviceUid,
    as,
  })
  const service = await reader.getService(placeOf(asked))
  if (service) await unit((op, vm) => vmSshRecord.opened(op, vm, service))
}

async function pointAt(
  { cluster: { writer }, asked }: Leading,
  address: string,
): Promise<{ uid: string; version: string }> {
  const as = { service: vmParts.ssh(asked.id), portName: 'ssh', port: sshPort, address }
  return applyAnew(writer, {
    noun: 'endpointSlice',
    ...placeOf(asked),
    ...ownerOf(asked),
    uid: asked.sliceUid,
    as,
  })
}

async function refuse({ unit, asked }: Leading, error: ClusterError): Promise<Outcome> {
  const { generation, wantedNodePort, nodePort } = asked
  const isPort = error.fields.some(({ path }) => path.endsWith('.nodePort'))
  // Nobody asked for the port that it had before somebody took it away: any other will do.
  if (isPort && wantedNodePort === null && nodePort !== null) {
    await unit(async (op) => op.vmSsh.remember(asked.id, { nodePort: null, serviceUid: null }))
    return atOnce
  }
  const refusal = isPort ? 'port_taken' : 'not_possible'
  await unit((op, vm) => vmSshRecord.refused(op, vm, { generation, refusal, wantedNodePort }))
  return done
}

/** First where it leads, then the port itself. */
async function close(leading: Leading): Promise<Outcome> {
  const { unit, asked } = leading
  await atStep(leading, 'port', async () => {
    await removeSlice(leading)
    await remove(leading, 'service')
    await unit((op, vm) => vmSshRecord.closed(op, vm, asked.generation))
  })
  return done
}

async function removeSlice(leading: Leading): Promise<null> {
  await remove(leading, 'endpointSlice')
  return null
}

/** Also what a worker made that was paused before it could write that down. */
async function remove(
  { cluster: { reader, writer }, asked }: Leading,
  noun: 'service' | 'endpointSlice',
): Promise<void> {
  const left = await reader.getObject(noun, placeOf(asked))
  if (left?.rowId === asked.id) await writer.deleteObject(noun, placeOf(asked), left.uid)
}
