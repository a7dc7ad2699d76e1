import { type ClusterReader } from '../../cluster/reader.ts'
import { type Reconciler, atOnce, done } from '../../engine/reconcile/reconciler.ts'
import { isId } from '../../runtime/ids.ts'
import { type Op } from '../../store/op.ts'
import { type TenantVms } from '../../store/unmanaged-vm/unmanaged-vm.ts'
import { type UnitParts, fencedUnits } from '../fenced-unit.ts'

interface UnmanagedVmReconcilerParts extends UnitParts {
  cluster: { reader: Pick<ClusterReader, 'listAllVms' | 'describeVms'> }
}

type Objects = Awaited<ReturnType<ClusterReader['listAllVms']>>
type Described = Awaited<ReturnType<ClusterReader['describeVms']>>

/** Each description is a call to the cluster. */
const mostDescriptions = 50

/**
 * Records the VM objects in the namespace of a tenant that no row describes. It reads only those
 * that have changed.
 */
export function unmanagedVmReconciler({
  store,
  work,
  cluster: { reader },
}: UnmanagedVmReconcilerParts): Reconciler {
  const unitFor = fencedUnits({ store, work }, (op, tenantId) => op.unmanagedVms.ofTenant(tenantId))

  return {
    kind: 'unmanaged_vm',
    // No request begins it again after it was given up.
    maxAttempts: Infinity,
    async reconcile(key, lease) {
      const unit = unitFor(key, lease)
      const tenant = await unit((_op, found) => Promise.resolve(found))
      if (!tenant) return done
      const objects = unmanagedIn(tenant, await reader.listAllVms(tenant))
      const changed = objects.filter(({ name, version }) => versionOf(tenant, name) !== version)
      const names = changed.slice(0, mostDescriptions).map(({ name }) => name)
      const described = names.length === 0 ? [] : await reader.describeVms({ ...tenant, names })
      await unit((op, found) => {
        if (found) record(op, found, { objects, described: unmanagedIn(found, described) })
        return Promise.resolve()
      })
      return changed.length > names.length ? atOnce : done
    },
  }
}

const versionOf = ({ recorded }: TenantVms, name: string): string | undefined =>
  recorded.find((row) => row.name === name)?.observedVersion

/** A VM that is being deleted is neither shown nor adopted. */
const unmanagedIn = <Listed extends Objects[number]>(
  { managed, adopted }: TenantVms,
  objects: readonly Listed[],
): Listed[] =>
  objects.filter(
    ({ rowId, name, uid, isDeleting }) =>
      !isDeleting && managed.get(rowId ?? '') !== name && !adopted.has(uid),
  )

function record(
  op: Op,
  { tenantId, recorded }: TenantVms,
  { objects, described }: { objects: Objects; described: Described },
): void {
  const present = new Set(objects.map(({ name }) => name))
  for (const row of recorded.filter(({ name }) => !present.has(name))) {
    op.unmanagedVms.forget(row)
    op.changes.record('unmanaged_vm', { id: row.id, version: row.version + 1, tenantId })
  }
  for (const { name, uid, version: observedVersion, rowId, found } of described) {
    const before = recorded.find((row) => row.name === name) ?? null
    const { id, version } = op.unmanagedVms.record(tenantId, before, {
      name,
      madeAs: rowId !== null && isId(rowId) ? rowId : null,
      clusterUid: uid,
      observedVersion,
      found,
    })
    op.changes.record('unmanaged_vm', { id, version: before ? version + 1 : 1, tenantId })
  }
}
