import { isDeepStrictEqual } from 'node:util'
import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { type FaultCode } from '../../engine/model/fault.ts'
import { stepFailpoint } from '../../domain/operation/kind.ts'
import { type DesiredVpc, type VpcStep, nextStep } from '../../domain/vpc/next-step.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { type ObservedVpcState } from '../../store/vpc/vpc.ts'
import { askDeadlineAfter } from '../ask-deadline.ts'
import { type Unit, type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { type Attendance, OpenOperations } from '../open-operations.ts'
import { refusedWrite } from '../refused-write.ts'
import { isFinalRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  atOnce,
  outOfTime,
  waiting,
} from '../../engine/reconcile/reconciler.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

interface VpcReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  /** The delay between checks while the cluster carries out a change. */
  waitMs?: number
}

type Row = NonNullable<Awaited<ReturnType<Op['vpcs']['row']>>>

/**
 * Keeps the namespace that holds the attachments of a VPC's networks. It is created, is recreated
 * when it is missing, and is deleted after the last network.
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
      const desired = await unit(loadDesired)
      if (!desired) return done
      return askDeadlineAfter({
        lease,
        needsReview: desired.needsReview,
        expire: (attendance) => unit((op, vpc) => expire(op, vpc, attendance)),
        block: (obstacle) => unit((op, vpc) => block(op, vpc, obstacle)),
        async act() {
          const step = await readNextStep(cluster.reader, desired)
          return take(step, { unit, desired, writer: cluster.writer, waitMs })
        },
      })
    },
    gaveUp: (key, lease) => unitFor(key, lease)((op, vpc) => fail(op, vpc, outOfTime)),
  }
}

async function readNextStep(reader: ClusterReader, desired: VpcTarget): Promise<VpcStep> {
  const { id, namespace: name, hasRouter } = desired
  const observed = await reader.getNamespace({ name })
  const namespace = observed && {
    uid: observed.uid,
    isOwned: observed.rowId === id,
    isTerminating: observed.phase === 'terminating',
  }
  const router = hasRouter ? await reader.getObject('router', { namespace: null, name }) : null
  return nextStep(desired, namespace, router && { ...router, isOwned: router.rowId === id })
}

interface VpcTarget extends DesiredVpc {
  id: string
  tenantId: string
  namespace: string
  /** True when one of the VPC's networks is or was a subnet. */
  hasRouter: boolean
  needsReview: boolean
}

const operationsOn = (op: Op, { id }: Row): Promise<OpenOperations> =>
  OpenOperations.on(op, { kind: 'vpc', id })

/** Loads the desired state, and whether an operation needs a review after the pass. */
async function loadDesired(op: Op, vpc: Row | null): Promise<VpcTarget | null> {
  if (!vpc) return null
  const deleteRequested = Boolean(vpc.deleteRequestedAt)
  const operations = await operationsOn(op, vpc)
  if (deleteRequested) operations.supersede('create_vpc', 'delete_vpc')
  operations.begin(deleteRequested ? 'delete_vpc' : 'create_vpc', 'namespace')
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
    needsReview: operations.needReview,
  }
}

/** Ends operations that are past their deadline. Call it after the VPC was observed. */
async function expire(op: Op, vpc: Row | null, attendance: Attendance): Promise<void> {
  if (!vpc || vpc.goneAt) return
  const late = (await operationsOn(op, vpc)).expire(attendance)
  if (late.includes('create_vpc') && vpc.state === 'creating')
    observe(op, vpc, { state: 'failed', stateReason: messageOf('vpc.late') })
}

async function block(op: Op, vpc: Row | null, obstacle: Message): Promise<void> {
  if (vpc && !vpc.goneAt) (await operationsOn(op, vpc)).block(obstacle)
}

interface ReconcileContext {
  unit: Unit<Row>
  desired: VpcTarget
  writer: ClusterWriter
  waitMs: number
}

async function take(step: VpcStep, context: ReconcileContext): Promise<Outcome> {
  const { unit, desired, writer, waitMs } = context
  switch (step.do) {
    case 'nothing':
      return done
    case 'wait':
      return waiting(waitMs)
    case 'applyNamespace':
      return atFailpoint(stepFailpoint('create_vpc', 'namespace'), () => apply(context))
    case 'open':
      await atFailpoint(stepFailpoint('create_vpc', 'ready'), () =>
        unit((op, vpc) => open(op, vpc, step.uid)),
      )
      return done
    case 'deleteRouter':
      await atFailpoint(stepFailpoint('delete_vpc', 'namespace'), () =>
        writer.deleteObject('router', { namespace: null, name: desired.namespace }, step.uid),
      )
      return { again: { afterMs: waitMs } }
    case 'deleteNamespace':
      await atFailpoint(stepFailpoint('delete_vpc', 'namespace'), () =>
        writer.deleteNamespace({ name: desired.namespace }, step.uid),
      )
      return { again: { afterMs: waitMs } }
    case 'erase':
      await atFailpoint(stepFailpoint('delete_vpc', 'gone'), () => unit(erase))
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
  desired: { namespace, id, tenantId },
  writer,
}: ReconcileContext): Promise<Outcome> {
  try {
    await writer.applyNamespace({ name: namespace, tenantId, rowId: id, uid: null })
    return atOnce
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
    const nameInUse = messageOf('vpc.name_in_use')
    const own = { name_taken: nameInUse, namespace_terminating: nameInUse }
    const why = refusedWrite(error, messageOf('vpc.refused'), own)
    await unit((op, vpc) => fail(op, vpc, why))
    return done
  }
}

/** Activates the VPC and enqueues its networks, which wait for it. */
async function open(op: Op, vpc: Row | null, uid: string): Promise<void> {
  if (!vpc || vpc.deleteRequestedAt) return
  const operations = await operationsOn(op, vpc)
  for (const step of ['namespace', 'ready']) operations.finish('create_vpc', step)
  operations.succeed('create_vpc')
  observe(op, vpc, { state: 'active', stateReason: null, clusterUid: uid })
  for (const { id, tenantId } of await op.networks.ofVpc(vpc.id))
    op.work.enqueue('network', { id, tenantId })
}

/** Marks the VPC as gone and enqueues its tenant, whose own deletion may wait for it. */
async function erase(op: Op, vpc: Row | null): Promise<void> {
  if (!vpc || vpc.goneAt) return
  const operations = await operationsOn(op, vpc)
  for (const step of ['namespace', 'gone']) operations.finish('delete_vpc', step)
  operations.succeed('delete_vpc')
  op.vpcs.markGone(vpc)
  recordChange(op, vpc)
  op.work.enqueue('tenant', { id: vpc.tenantId, tenantId: vpc.tenantId })
}

/**
 * A delete that was requested after the decision has its own operation, which this failure does not
 * end.
 */
async function fail(
  op: Op,
  vpc: Row | null,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  if (!vpc || vpc.goneAt) return
  const operations = await operationsOn(op, vpc)
  if (!vpc.deleteRequestedAt) observe(op, vpc, { state: 'failed', stateReason: detail })
  operations.failKind(vpc.deleteRequestedAt ? 'delete_vpc' : 'create_vpc', { code, detail })
}

function observe(op: Op, vpc: Row, observed: ObservedVpcState): void {
  const isSame =
    vpc.state === observed.state && isDeepStrictEqual(vpc.stateReason ?? null, observed.stateReason)
  if (isSame && (observed.clusterUid === undefined || observed.clusterUid === vpc.clusterUid))
    return
  op.vpcs.observe(vpc, observed)
  recordChange(op, vpc)
}

const recordChange = (op: Op, { id, version, tenantId }: Row): void =>
  op.changes.record('vpc', { id, version: version + 1, tenantId })
