import { isDeepStrictEqual } from 'node:util'
import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { type FaultCode } from '../../engine/model/fault.ts'
import { stepFailpoint } from '../../domain/operation/kind.ts'
import { type TenantStep, nextStep } from '../../domain/tenant/next-step.ts'
import { quotaBackstopOf } from '../../domain/tenant/quota-backstop.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { requestVpcDelete } from '../../store/vpc/request-vpc-delete.ts'
import {
  type BoundaryUids,
  type ObservedBoundary,
  boundaryFingerprint,
} from '../../store/tenant/tenant-boundary.ts'
import { type Attendance, OpenOperations } from '../open-operations.ts'
import { askDeadlineAfter } from '../ask-deadline.ts'
import { type Unit, type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { refusedWrite } from '../refused-write.ts'
import { isFinalRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  outOfTime,
  waiting,
} from '../../engine/reconcile/reconciler.ts'
import { applyTenantBoundary, desiredNamespace } from './tenant-boundary.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export interface TenantReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  /** The limits of tenants that have none of their own. */
  quotaDefaults: QuotaLimits
  /** The delay between checks while the cluster carries out a change. */
  waitMs?: number
}

type Row = NonNullable<Awaited<ReturnType<Op['tenants']['row']>>>

/**
 * Keeps a tenant's namespace in the desired state. It is created once, is never silently recreated,
 * and is deleted with the tenant.
 */
export function tenantReconciler({
  store,
  work,
  cluster,
  quotaDefaults,
  waitMs = 500,
}: TenantReconcilerParts): Reconciler {
  const unitFor = fencedUnits({ store, work }, (op, id) => op.tenants.row(id))

  return {
    kind: 'tenant',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const desired = await unit(loadDesired)
      if (!desired) return done
      return askDeadlineAfter({
        lease,
        needsReview: desired.needsReview,
        expire: (attendance) => unit((op, tenant) => expire(op, tenant, attendance)),
        block: (obstacle) => unit((op, tenant) => block(op, tenant, obstacle)),
        async act() {
          const step = await readNextStep(cluster.reader, desired)
          return take(step, { unit, desired, writer: cluster.writer, quotaDefaults, waitMs })
        },
      })
    },
    gaveUp: (key, lease) =>
      unitFor(
        key,
        lease,
      )(async (op, tenant) => {
        if (tenant) await fail(op, tenant, outOfTime)
      }),
  }
}

async function readNextStep(reader: ClusterReader, desired: TenantTarget): Promise<TenantStep> {
  const observed = await reader.getNamespace({ name: desired.namespace })
  return nextStep(
    desired,
    observed && {
      uid: observed.uid,
      isOwned: observed.rowId === desired.id,
      isTerminating: observed.phase === 'terminating',
    },
  )
}

type TenantTarget = NonNullable<Awaited<ReturnType<typeof loadDesired>>>

/** Loads the desired state, and whether an operation needs a review after the pass. */
async function loadDesired(op: Op, tenant: Row | null) {
  if (!tenant || tenant.goneAt) return null
  const operations = await OpenOperations.on(op, { kind: 'tenant', id: tenant.id })
  const deleteRequested = Boolean(tenant.deleteRequestedAt)
  if (deleteRequested) operations.supersede('create_tenant', 'delete_tenant')
  operations.begin(deleteRequested ? 'delete_tenant' : 'create_tenant', 'namespace')
  const parts = await (deleteRequested ? deletionOf(op, tenant) : boundaryStateOf(op, tenant.id))
  const { id, namespace, clusterUid, state } = tenant
  return {
    id,
    namespace,
    deleteRequested,
    clusterUid: clusterUid ?? null,
    isActive: state === 'active',
    needsReview: operations.needReview,
    ...parts,
  }
}

/** Ends operations that are past their deadline. Call it after the namespace was observed. */
async function expire(op: Op, tenant: Row | null, attendance: Attendance): Promise<void> {
  if (!tenant || tenant.goneAt) return
  const operations = await OpenOperations.on(op, { kind: 'tenant', id: tenant.id })
  if (operations.expire(attendance).includes('create_tenant') && tenant.state === 'creating')
    observe(op, tenant, { state: 'failed', reason: messageOf('tenant.late') })
}

async function block(op: Op, tenant: Row | null, obstacle: Message): Promise<void> {
  if (!tenant || tenant.goneAt) return
  const operations = await OpenOperations.on(op, { kind: 'tenant', id: tenant.id })
  operations.block(obstacle)
}

async function deletionOf(op: Op, tenant: Row) {
  if (tenant.state !== 'deleting') observe(op, tenant, { state: 'deleting', reason: null })
  return { vpcsLeft: await op.vpcs.countOf(tenant.id), hasBoundary: false, boundaryUids: null }
}

async function boundaryStateOf(op: Op, id: string) {
  const boundaryUids = await op.boundaries.uidsOf(id)
  return { vpcsLeft: 0, hasBoundary: boundaryUids !== null, boundaryUids }
}

interface ReconcileContext {
  unit: Unit<Row>
  desired: TenantTarget
  writer: ClusterWriter
  quotaDefaults: QuotaLimits
  waitMs: number
}

async function take(step: TenantStep, context: ReconcileContext): Promise<Outcome> {
  const { unit, desired, writer, waitMs } = context
  switch (step.do) {
    case 'wait':
      return waiting(waitMs)
    case 'applyNamespace':
      return atFailpoint(stepFailpoint('create_tenant', 'namespace'), () =>
        orFailed(context, () => writer.applyNamespace(desiredNamespace(desired))),
      )
    case 'applyBoundary':
      return isolate(context, desired.clusterUid ?? step.uid)
    case 'open':
      await atFailpoint(stepFailpoint('create_tenant', 'ready'), () =>
        unit((op, tenant) => open(op, tenant, step.uid)),
      )
      return done
    case 'deleteNamespace':
      await atFailpoint(stepFailpoint('delete_tenant', 'namespace'), () =>
        writer.deleteNamespace({ name: desired.namespace }, step.uid),
      )
      return { again: { afterMs: waitMs } }
    case 'removeVpcs':
      await atFailpoint(stepFailpoint('delete_tenant', 'networks'), () => unit(removeVpcs))
      return waiting(waitMs)
    case 'erase':
      await atFailpoint(stepFailpoint('delete_tenant', 'gone'), () => unit(erase))
      return done
    case 'fail':
      await unit(async (op, tenant) =>
        isStillDesired(tenant) ? fail(op, tenant, step) : undefined,
      )
      return done
  }
}

/**
 * Reconciles again at once after success. A change that the cluster will never accept fails the
 * tenant.
 */
async function orFailed({ unit }: ReconcileContext, act: () => Promise<unknown>): Promise<Outcome> {
  try {
    await act()
    return { again: { afterMs: 0 } }
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
    const nameInUse = messageOf('tenant.name_in_use')
    const own = { name_taken: nameInUse, namespace_terminating: nameInUse }
    const why = refusedWrite(error, messageOf('tenant.refused'), own)
    await unit(async (op, tenant) => (isStillDesired(tenant) ? fail(op, tenant, why) : undefined))
    return done
  }
}

/**
 * Applies the boundary. When the cluster refuses it for an active tenant, the tenant stays active
 * and each full pass tries again.
 */
async function isolate(context: ReconcileContext, uid: string): Promise<Outcome> {
  if (!context.desired.isActive)
    return atFailpoint(stepFailpoint('create_tenant', 'boundary'), () =>
      orFailed(context, () => applyBoundary(context, uid)),
    )
  try {
    await applyBoundary(context, uid)
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
  }
  return done
}

/** Applies the namespace once more, because its labels are a part of the boundary. */
async function applyBoundary(
  { unit, desired, writer, quotaDefaults }: ReconcileContext,
  uid: string,
): Promise<void> {
  const boundary = await unit(async (op) => {
    const own = await op.quotas.limitsOf(desired.id)
    const lines = (await op.reads.quotas.linesOf([desired.id], quotaDefaults)).get(desired.id) ?? []
    return {
      quotaBackstop: quotaBackstopOf(lines),
      builtFrom: boundaryFingerprint(quotaDefaults, { hasOwnLimits: own !== null }),
    }
  })
  const { version: namespaceVersion } = await writer.applyNamespace(
    desiredNamespace({ ...desired, clusterUid: uid }),
  )
  const observed = {
    ...(await applyTenantBoundary(writer, { ...desired, quotaBackstop: boundary.quotaBackstop })),
    builtFrom: boundary.builtFrom,
    namespaceVersion,
  }
  await unit((op, tenant) => remember(op, tenant, observed))
}

async function remember(
  op: Op,
  tenant: Row | null,
  observed: ObservedBoundary & BoundaryUids,
): Promise<void> {
  if (!tenant || tenant.goneAt) return
  await op.boundaries.remember(tenant.id, observed)
  const operations = await OpenOperations.on(op, { kind: 'tenant', id: tenant.id })
  operations.finish('create_tenant', 'namespace')
  operations.finish('create_tenant', 'boundary')
}

async function open(op: Op, tenant: Row | null, uid: string): Promise<void> {
  if (!tenant || tenant.deleteRequestedAt) return
  const operations = await OpenOperations.on(op, { kind: 'tenant', id: tenant.id })
  operations.finish('create_tenant', 'ready')
  operations.succeed('create_tenant')
  observe(op, tenant, { state: 'active', reason: null, clusterUid: uid })
}

/**
 * Requests the deletion of the VPCs. Their own reconcilers delete them and then enqueue the tenant.
 */
async function removeVpcs(op: Op, tenant: Row | null): Promise<void> {
  if (!tenant || tenant.goneAt) return
  const operations = await OpenOperations.on(op, { kind: 'tenant', id: tenant.id })
  operations.finish('delete_tenant', 'namespace')
  operations.begin('delete_tenant', 'networks')
  for (const vpc of await op.vpcs.ofTenant(tenant.id)) await requestVpcDelete(op, vpc)
}

async function erase(op: Op, tenant: Row | null): Promise<void> {
  if (!tenant || tenant.goneAt) return
  const operations = await OpenOperations.inTenant(op, tenant.id)
  operations.endWithTenant()
  for (const step of ['namespace', 'networks', 'gone']) operations.finish('delete_tenant', step)
  operations.succeed('delete_tenant')
  op.tenants.markGone(tenant)
  await op.endRowsOfTenant(tenant.id)
  op.changes.record('tenant', { id: tenant.id, version: tenant.version + 1, tenantId: tenant.id })
}

/**
 * A delete that was requested after the decision has its own operation, which this failure does not
 * end.
 */
const isStillDesired = (tenant: Row | null): tenant is Row =>
  tenant !== null && !tenant.deleteRequestedAt

async function fail(
  op: Op,
  tenant: Row,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  const operations = await OpenOperations.on(op, { kind: 'tenant', id: tenant.id })
  operations.failAll(code, detail)
  if (!tenant.deleteRequestedAt) observe(op, tenant, { state: 'failed', reason: detail })
}

function observe(op: Op, tenant: Row, observed: Parameters<Op['tenants']['observe']>[1]): void {
  const isSame =
    tenant.state === observed.state &&
    isDeepStrictEqual(tenant.stateReason ?? null, observed.reason)
  if (isSame && (observed.clusterUid === undefined || observed.clusterUid === tenant.clusterUid))
    return
  op.tenants.observe(tenant, observed)
  op.changes.record('tenant', { id: tenant.id, version: tenant.version + 1, tenantId: tenant.id })
}
