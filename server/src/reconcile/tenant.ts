import { ClusterError, type ClusterReader, type SeenNamespace as SeenInCluster } from '../cluster/reader.ts'
import { type ClusterWriter, reactions } from '../cluster/writer.ts'
import { type FaultCode } from '../domain/fault.ts'
import { stepPoint } from '../domain/operation/kind.ts'
import { type TenantStep, nextStep } from '../domain/tenant/next-step.ts'
import { atFailpoint } from '../runtime/failpoint.ts'
import { type Op } from '../store/op.ts'
import { Promises } from './promise.ts'
import { type Unit, type UnitParts, fencedUnits } from './fenced-unit.ts'
import { type Outcome, type Reconciler } from './reconciler.ts'

export interface TenantReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  /** How soon to look again while the cluster is busy with what was asked. */
  waitMs?: number
}

type Row = NonNullable<Awaited<ReturnType<Op['tenants']['row']>>>

/** Keeps a tenant's namespace as it was asked: made once, never silently made again, removed with the tenant. */
export function tenantReconciler({ store, work, cluster, waitMs = 500 }: TenantReconcilerParts): Reconciler {
  const unitFor = fencedUnits({ store, work }, (op, id) => op.tenants.row(id))

  return {
    kind: 'tenant',
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const asked = await unit(askedOf)
      if (!asked) return done
      const seen = await cluster.reader.getNamespace({ name: asked.namespace })
      const step = nextStep(
        asked,
        seen && { uid: seen.uid, isOurs: seen.rowId === key.objectId, isTerminating: seen.phase === 'terminating' },
      )
      return take(step, { unit, asked, writer: cluster.writer, waitMs })
    },
    gaveUp: (key, lease) =>
      unitFor(
        key,
        lease,
      )(async (op, tenant) => {
        if (tenant)
          await fail(op, tenant, { code: 'cluster_unavailable', detail: 'The platform could not finish this in time; try again later.' })
      }),
  }
}

const done: Outcome = { again: null }

type Asked = NonNullable<Awaited<ReturnType<typeof askedOf>>>

/** What the row asks for, and first of all whether time is up for what was promised. */
async function askedOf(op: Op, tenant: Row | null) {
  if (!tenant || tenant.goneAt) return null
  const promises = await Promises.on(op, { kind: 'tenant', id: tenant.id })
  const deleteRequested = Boolean(tenant.deleteRequestedAt)
  if (deleteRequested) promises.supersede('create_tenant', 'delete_tenant')
  promises.begin(deleteRequested ? 'delete_tenant' : 'create_tenant', 'namespace')
  if (promises.expire() && tenant.state === 'creating')
    observe(op, tenant, { state: 'failed', reason: 'It could not be made ready in time.' })
  if (deleteRequested && tenant.state !== 'deleting') observe(op, tenant, { state: 'deleting', reason: null })
  const { id, namespace, clusterUid, state } = tenant
  return { id, namespace, deleteRequested, clusterUid: clusterUid ?? null, isActive: state === 'active' }
}

interface Taking {
  unit: Unit<Row>
  asked: Asked
  writer: ClusterWriter
  waitMs: number
}

async function take(step: TenantStep, taking: Taking): Promise<Outcome> {
  const { unit, asked, writer, waitMs } = taking
  switch (step.do) {
    case 'nothing':
      return done
    case 'wait':
      return { again: { afterMs: waitMs } }
    case 'applyNamespace': {
      const made = await atFailpoint(stepPoint('create_tenant', 'namespace'), () => apply(taking))
      return made ? { again: { afterMs: 0 } } : done
    }
    case 'open':
      await atFailpoint(stepPoint('create_tenant', 'ready'), () => unit((op, tenant) => open(op, tenant, step.uid)))
      return done
    case 'deleteNamespace':
      await atFailpoint(stepPoint('delete_tenant', 'namespace'), () => writer.deleteNamespace({ name: asked.namespace }, step.uid))
      return { again: { afterMs: waitMs } }
    case 'erase':
      await atFailpoint(stepPoint('delete_tenant', 'gone'), () => unit(erase))
      return done
    case 'fail':
      await unit(async (op, tenant) => (stillWanted(tenant) ? fail(op, tenant, step) : undefined))
      return done
  }
}

/** False when the cluster will never take it, and the tenant has been told so. */
async function apply({ unit, asked, writer }: Taking): Promise<SeenInCluster | null> {
  try {
    return await writer.applyNamespace({ name: asked.namespace, tenantId: asked.id, rowId: asked.id, uid: asked.clusterUid })
  } catch (error) {
    if (!(error instanceof ClusterError) || reactions[error.trouble].retry !== 'never') throw error
    const { fault } = reactions[error.trouble]
    await unit(async (op, tenant) =>
      stillWanted(tenant)
        ? fail(op, tenant, { code: fault, detail: 'The platform refused to make room for this tenant; ask the operator.' })
        : undefined,
    )
    return null
  }
}

async function open(op: Op, tenant: Row | null, uid: string): Promise<void> {
  if (!tenant || tenant.deleteRequestedAt) return
  const promises = await Promises.on(op, { kind: 'tenant', id: tenant.id })
  promises.finish('create_tenant', 'namespace')
  promises.finish('create_tenant', 'ready')
  promises.succeed('create_tenant')
  observe(op, tenant, { state: 'active', reason: null, clusterUid: uid })
}

async function erase(op: Op, tenant: Row | null): Promise<void> {
  if (!tenant || tenant.goneAt) return
  const promises = await Promises.inTenant(op, tenant.id)
  promises.endWithTenant()
  promises.finish('delete_tenant', 'namespace')
  promises.finish('delete_tenant', 'gone')
  promises.succeed('delete_tenant')
  await op.tenants.erase(tenant)
  op.changes.note('tenant', { id: tenant.id, version: tenant.version + 1, tenantId: tenant.id })
}

/** A delete that came after the decision has a promise of its own, which this failure is not about. */
const stillWanted = (tenant: Row | null): tenant is Row => tenant !== null && !tenant.deleteRequestedAt

async function fail(op: Op, tenant: Row, { code, detail }: { code: FaultCode; detail: string }): Promise<void> {
  const promises = await Promises.on(op, { kind: 'tenant', id: tenant.id })
  promises.fail(code, detail)
  if (!tenant.deleteRequestedAt) observe(op, tenant, { state: 'failed', reason: detail })
}

function observe(op: Op, tenant: Row, seen: Parameters<Op['tenants']['observe']>[1]): void {
  const isSame = tenant.state === seen.state && (tenant.stateReason ?? null) === seen.reason
  if (isSame && (seen.clusterUid === undefined || seen.clusterUid === tenant.clusterUid)) return
  op.tenants.observe(tenant, seen)
  op.changes.note('tenant', { id: tenant.id, version: tenant.version + 1, tenantId: tenant.id })
}
