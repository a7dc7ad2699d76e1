import { isDeepStrictEqual } from 'node:util'
import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { reactions } from '../../engine/kube/cluster-error.ts'
import { type FaultCode } from '../../engine/model/fault.ts'
import { stepPoint } from '../../domain/operation/kind.ts'
import { type AskedVpc, type VpcStep, nextStep } from '../../domain/vpc/next-step.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { type SeenOfVpc } from '../../store/vpc/vpc.ts'
import { type Unit, type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { Promises } from '../promise.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  atOnce,
  outOfTime,
} from '../../engine/reconcile/reconciler.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface VpcReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  /** How soon to look again while the cluster is busy with what was asked. */
  waitMs?: number
}

type Row = NonNullable<Awaited<ReturnType<Op['vpcs']['row']>>>

/**
 * Keeps the namespace that a VPC's networks have their attachments in: made, made again when it is
 * missed, removed after the last of them.
 */
export function vpcReconciler({
  store,
  work,
  cluster,
  waitMs = 500,
}: VpcReconcilerParts): Reconciler {
  const unitFor = fencedUnits({ store, work }, (op, id) => op.vpcs.row(id))

  return {
    kind: 'vpc',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const asked = await unit(askedOf)
      if (!asked) return done
      const seen = await cluster.reader.getNamespace({ name: asked.namespace })
      const place = seen && {
        uid: seen.uid,
        isOurs: seen.rowId === key.objectId,
        isTerminating: seen.phase === 'terminating',
      }
      const router = asked.hasRouter
        ? await cluster.reader.getObject('router', { namespace: null, name: asked.namespace })
        : null
      const step = nextStep(
        asked,
        place,
        router && { ...router, isOurs: router.rowId === key.objectId },
      )
      return take(step, { unit, asked, writer: cluster.writer, waitMs })
    },
    gaveUp: (key, lease) => unitFor(key, lease)((op, vpc) => fail(op, vpc, outOfTime)),
  }
}

interface Asked extends AskedVpc {
  id: string
  tenantId: string
  namespace: string
  /** One of its networks is or was a subnet. */
  hasRouter: boolean
}

const promisesOn = (op: Op, { id }: Row): Promise<Promises> => Promises.on(op, { kind: 'vpc', id })

/** What the row asks for, and first of all whether time is up for what was promised. */
async function askedOf(op: Op, vpc: Row | null): Promise<Asked | null> {
  if (!vpc) return null
  const deleteRequested = Boolean(vpc.deleteRequestedAt)
  const promises = await promisesOn(op, vpc)
  if (deleteRequested) promises.supersede('create_vpc', 'delete_vpc')
  promises.begin(deleteRequested ? 'delete_vpc' : 'create_vpc', 'namespace')
  if (promises.expire() && vpc.state === 'creating')
    observe(op, vpc, {
      state: 'failed',
      stateReason: messageOf('network.late'),
    })
  const { id, tenantId, namespace, state } = vpc
  return {
    id,
    tenantId,
    namespace,
    deleteRequested,
    isGone: Boolean(vpc.goneAt),
    isActive: state === 'active',
    clusterUid: vpc.clusterUid ?? null,
    hasRouter: deleteRequested ? await op.networks.hadSubnet(id) : false,
    networksLeft: deleteRequested ? await op.networks.countOf(id) : 0,
  }
}

interface Taking {
  unit: Unit<Row>
  asked: Asked
  writer: ClusterWriter
  waitMs: number
}

async function take(step: VpcStep, taking: Taking): Promise<Outcome> {
  const { unit, asked, writer, waitMs } = taking
  switch (step.do) {
    case 'nothing':
      return done
    case 'wait':
      return { again: { afterMs: waitMs } }
    case 'applyNamespace':
      return atFailpoint(stepPoint('create_vpc', 'namespace'), () => apply(taking))
    case 'open':
      await atFailpoint(stepPoint('create_vpc', 'ready'), () =>
        unit((op, vpc) => open(op, vpc, step.uid)),
      )
      return done
    case 'deleteRouter':
      await atFailpoint(stepPoint('delete_vpc', 'namespace'), () =>
        writer.deleteObject('router', { namespace: null, name: asked.namespace }, step.uid),
      )
      return { again: { afterMs: waitMs } }
    case 'deleteNamespace':
      await atFailpoint(stepPoint('delete_vpc', 'namespace'), () =>
        writer.deleteNamespace({ name: asked.namespace }, step.uid),
      )
      return { again: { afterMs: waitMs } }
    case 'erase':
      await atFailpoint(stepPoint('delete_vpc', 'gone'), () => unit(erase))
      return done
    case 'fail':
      await unit((op, vpc) =>
        fail(op, vpc, {
          code: 'cluster_name_conflict',
          detail: messageOf('vpc.name_in_use'),
        }),
      )
      return done
  }
}

async function apply({
  unit,
  asked: { namespace, id, tenantId },
  writer,
}: Taking): Promise<Outcome> {
  try {
    await writer.applyNamespace({ name: namespace, tenantId, rowId: id, uid: null })
    return atOnce
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { fault } = reactions[error.trouble]
    await unit((op, vpc) =>
      fail(op, vpc, {
        code: fault,
        detail: messageOf('vpc.refused'),
      }),
    )
    return done
  }
}

/** Its networks have waited for it. */
async function open(op: Op, vpc: Row | null, uid: string): Promise<void> {
  if (!vpc || vpc.deleteRequestedAt) return
  const promises = await promisesOn(op, vpc)
  for (const step of ['namespace', 'ready']) promises.finish('create_vpc', step)
  promises.succeed('create_vpc')
  observe(op, vpc, { state: 'active', stateReason: null, clusterUid: uid })
  for (const { id, tenantId } of await op.networks.ofVpc(vpc.id))
    op.work.ring('network', { id, tenantId })
}

/** A tenant that goes has waited for it. */
async function erase(op: Op, vpc: Row | null): Promise<void> {
  if (!vpc || vpc.goneAt) return
  const promises = await promisesOn(op, vpc)
  for (const step of ['namespace', 'gone']) promises.finish('delete_vpc', step)
  promises.succeed('delete_vpc')
  op.vpcs.markGone(vpc)
  note(op, vpc)
  op.work.ring('tenant', { id: vpc.tenantId, tenantId: vpc.tenantId })
}

/**
 * A delete that came after the decision has a promise of its own, which this failure is not about.
 */
async function fail(
  op: Op,
  vpc: Row | null,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  if (!vpc || vpc.goneAt) return
  const promises = await promisesOn(op, vpc)
  if (!vpc.deleteRequestedAt) observe(op, vpc, { state: 'failed', stateReason: detail })
  promises.refuse(vpc.deleteRequestedAt ? 'delete_vpc' : 'create_vpc', { code, detail })
}

function observe(op: Op, vpc: Row, seen: SeenOfVpc): void {
  const isSame =
    vpc.state === seen.state && isDeepStrictEqual(vpc.stateReason ?? null, seen.stateReason)
  if (isSame && (seen.clusterUid === undefined || seen.clusterUid === vpc.clusterUid)) return
  op.vpcs.observe(vpc, seen)
  note(op, vpc)
}

const note = (op: Op, { id, version, tenantId }: Row): void =>
  op.changes.note('vpc', { id, version: version + 1, tenantId })
