import { isDeepStrictEqual } from 'node:util'
import { type ClusterReader } from '../../cluster/reader.ts'
import { type ClusterWriter } from '../../cluster/writer.ts'
import { reactions } from '../../engine/kube/cluster-error.ts'
import { type FaultCode } from '../../engine/model/fault.ts'
import { stepPoint } from '../../domain/operation/kind.ts'
import { type TenantStep, nextStep } from '../../domain/tenant/next-step.ts'
import { netUnder } from '../../domain/tenant/quota-backstop.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { atFailpoint } from '../../runtime/failpoint.ts'
import { type Op } from '../../store/op.ts'
import { requestVpcDelete } from '../../store/vpc/request-vpc-delete.ts'
import { type SeenBoundary, boundaryOf } from '../../store/tenant/tenant-boundary.ts'
import { Promises } from '../promise.ts'
import { type Unit, type UnitParts, fencedUnits } from '../fenced-unit.ts'
import { isRefusal } from '../../engine/reconcile/outage.ts'
import {
  type Outcome,
  type Reconciler,
  done,
  outOfTime,
} from '../../engine/reconcile/reconciler.ts'
import { putBounds, wantedNamespace } from './tenant-boundary.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export interface TenantReconcilerParts extends UnitParts {
  cluster: { reader: ClusterReader; writer: ClusterWriter }
  /** Of tenants that have no limits of their own. */
  quotaDefaults: QuotaLimits
  /** How soon to look again while the cluster is busy with what was asked. */
  waitMs?: number
}

type Row = NonNullable<Awaited<ReturnType<Op['tenants']['row']>>>

/**
 * Keeps a tenant's namespace as it was asked: made once, never silently made again, removed with
 * the tenant.
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
      const asked = await unit(askedOf)
      if (!asked) return done
      const seen = await cluster.reader.getNamespace({ name: asked.namespace })
      const step = nextStep(
        asked,
        seen && {
          uid: seen.uid,
          isOurs: seen.rowId === key.objectId,
          isTerminating: seen.phase === 'terminating',
        },
      )
      return take(step, { unit, asked, writer: cluster.writer, quotaDefaults, waitMs })
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

type Asked = NonNullable<Awaited<ReturnType<typeof askedOf>>>

/** What the row asks for, and first of all whether time is up for what was promised. */
async function askedOf(op: Op, tenant: Row | null) {
  if (!tenant || tenant.goneAt) return null
  const promises = await Promises.on(op, { kind: 'tenant', id: tenant.id })
  const deleteRequested = Boolean(tenant.deleteRequestedAt)
  if (deleteRequested) promises.supersede('create_tenant', 'delete_tenant')
  promises.begin(deleteRequested ? 'delete_tenant' : 'create_tenant', 'namespace')
  if (promises.expire() && tenant.state === 'creating')
    observe(op, tenant, { state: 'failed', reason: messageOf('tenant.late') })
  const made = await (deleteRequested ? leavingOf(op, tenant) : boundsOf(op, tenant.id))
  const { id, namespace, clusterUid, state } = tenant
  return {
    id,
    namespace,
    deleteRequested,
    clusterUid: clusterUid ?? null,
    isActive: state === 'active',
    ...made,
  }
}

async function leavingOf(op: Op, tenant: Row) {
  if (tenant.state !== 'deleting') observe(op, tenant, { state: 'deleting', reason: null })
  return { vpcsLeft: await op.vpcs.countOf(tenant.id), isBounded: false }
}

const boundsOf = async (op: Op, id: string) => ({
  vpcsLeft: 0,
  isBounded: await op.boundaries.isThere(id),
})

interface Taking {
  unit: Unit<Row>
  asked: Asked
  writer: ClusterWriter
  quotaDefaults: QuotaLimits
  waitMs: number
}

async function take(step: TenantStep, taking: Taking): Promise<Outcome> {
  const { unit, asked, writer, waitMs } = taking
  switch (step.do) {
    case 'wait':
      return { again: { afterMs: waitMs } }
    case 'applyNamespace':
      return atFailpoint(stepPoint('create_tenant', 'namespace'), () =>
        orFailed(taking, () => writer.applyNamespace(wantedNamespace(asked))),
      )
    case 'bound':
      return setApart(taking, asked.clusterUid ?? step.uid)
    case 'open':
      await atFailpoint(stepPoint('create_tenant', 'ready'), () =>
        unit((op, tenant) => open(op, tenant, step.uid)),
      )
      return done
    case 'deleteNamespace':
      await atFailpoint(stepPoint('delete_tenant', 'namespace'), () =>
        writer.deleteNamespace({ name: asked.namespace }, step.uid),
      )
      return { again: { afterMs: waitMs } }
    case 'removeVpcs':
      await atFailpoint(stepPoint('delete_tenant', 'networks'), () => unit(removeVpcs))
      return { again: { afterMs: waitMs } }
    case 'erase':
      await atFailpoint(stepPoint('delete_tenant', 'gone'), () => unit(erase))
      return done
    case 'fail':
      await unit(async (op, tenant) => (stillWanted(tenant) ? fail(op, tenant, step) : undefined))
      return done
  }
}

/**
 * Looks again at once; there is nothing more to do when the cluster will never take it, and the
 * tenant has been told so.
 */
async function orFailed({ unit }: Taking, act: () => Promise<unknown>): Promise<Outcome> {
  try {
    await act()
    return { again: { afterMs: 0 } }
  } catch (error) {
    if (!isRefusal(error)) throw error
    const { fault } = reactions[error.trouble]
    await unit(async (op, tenant) =>
      stillWanted(tenant)
        ? fail(op, tenant, {
            code: fault,
            detail: messageOf('tenant.refused'),
          })
        : undefined,
    )
    return done
  }
}

/**
 * What the cluster does not take now of one that is open is tried again with every full pass: such
 * a tenant stays open.
 */
async function setApart(taking: Taking, uid: string): Promise<Outcome> {
  if (!taking.asked.isActive)
    return atFailpoint(stepPoint('create_tenant', 'boundary'), () =>
      orFailed(taking, () => bound(taking, uid)),
    )
  try {
    await bound(taking, uid)
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
  return done
}

/** The namespace once more: its labels are a part of what keeps a tenant apart. */
async function bound({ unit, asked, writer, quotaDefaults }: Taking, uid: string): Promise<void> {
  const wish = await unit(async (op) => {
    const own = await op.quotas.limitsOf(asked.id)
    const lines = (await op.reads.quotas.linesOf([asked.id], quotaDefaults)).get(asked.id) ?? []
    return {
      net: netUnder(lines),
      madeOf: boundaryOf(quotaDefaults, { hasOwnLimits: own !== null }),
    }
  })
  const { version: namespaceVersion } = await writer.applyNamespace(
    wantedNamespace({ ...asked, clusterUid: uid }),
  )
  const seen = {
    ...(await putBounds(writer, { ...asked, net: wish.net })),
    madeOf: wish.madeOf,
    namespaceVersion,
  }
  await unit((op, tenant) => remember(op, tenant, seen))
}

async function remember(op: Op, tenant: Row | null, seen: SeenBoundary): Promise<void> {
  if (!tenant || tenant.goneAt) return
  await op.boundaries.remember(tenant.id, seen)
  const promises = await Promises.on(op, { kind: 'tenant', id: tenant.id })
  promises.finish('create_tenant', 'namespace')
  promises.finish('create_tenant', 'boundary')
}

async function open(op: Op, tenant: Row | null, uid: string): Promise<void> {
  if (!tenant || tenant.deleteRequestedAt) return
  const promises = await Promises.on(op, { kind: 'tenant', id: tenant.id })
  promises.finish('create_tenant', 'ready')
  promises.succeed('create_tenant')
  observe(op, tenant, { state: 'active', reason: null, clusterUid: uid })
}

/** Their own reconcilers remove them, and ring for the tenant when they have. */
async function removeVpcs(op: Op, tenant: Row | null): Promise<void> {
  if (!tenant || tenant.goneAt) return
  const promises = await Promises.on(op, { kind: 'tenant', id: tenant.id })
  promises.finish('delete_tenant', 'namespace')
  promises.begin('delete_tenant', 'networks')
  for (const vpc of await op.vpcs.ofTenant(tenant.id)) await requestVpcDelete(op, vpc)
}

async function erase(op: Op, tenant: Row | null): Promise<void> {
  if (!tenant || tenant.goneAt) return
  const promises = await Promises.inTenant(op, tenant.id)
  promises.endWithTenant()
  for (const step of ['namespace', 'networks', 'gone']) promises.finish('delete_tenant', step)
  promises.succeed('delete_tenant')
  await op.tenants.erase(tenant)
  op.changes.note('tenant', { id: tenant.id, version: tenant.version + 1, tenantId: tenant.id })
}

/**
 * A delete that came after the decision has a promise of its own, which this failure is not about.
 */
const stillWanted = (tenant: Row | null): tenant is Row =>
  tenant !== null && !tenant.deleteRequestedAt

async function fail(
  op: Op,
  tenant: Row,
  { code, detail }: { code: FaultCode; detail: Message },
): Promise<void> {
  const promises = await Promises.on(op, { kind: 'tenant', id: tenant.id })
  promises.fail(code, detail)
  if (!tenant.deleteRequestedAt) observe(op, tenant, { state: 'failed', reason: detail })
}

function observe(op: Op, tenant: Row, seen: Parameters<Op['tenants']['observe']>[1]): void {
  const isSame =
    tenant.state === seen.state && isDeepStrictEqual(tenant.stateReason ?? null, seen.reason)
  if (isSame && (seen.clusterUid === undefined || seen.clusterUid === tenant.clusterUid)) return
  op.tenants.observe(tenant, seen)
  op.changes.note('tenant', { id: tenant.id, version: tenant.version + 1, tenantId: tenant.id })
}
