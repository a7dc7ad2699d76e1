import { UnitStore } from '../../engine/database/unit-store.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { one } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

/** Versions of the objects that isolate a tenant, after they were last created or corrected. */
export interface ObservedBoundary {
  builtFrom: string
  namespaceVersion: string
  networkPolicyVersion: string
  limitsVersion: string
}

/** Increase this number when the objects change, so that those of existing tenants are updated. */
const revision = 1

/**
 * Describes the settings that the objects are built from. When the text changes, they are built
 * again. A tenant's own quota is not included, because its change enqueues the tenant.
 */
export const boundaryFingerprint = (
  defaults: QuotaLimits,
  { hasOwnLimits }: { hasOwnLimits: boolean },
): string => JSON.stringify([revision, hasOwnLimits ? null : defaults])

/** Only the reconciler writes these rows. */
export class TenantBoundaryStore extends UnitStore {
  async exists(tenantId: string): Promise<boolean> {
    const there = statement('boundary.exists', (db) =>
      db
        .selectFrom('tenant_boundary')
        .select('tenant_id')
        .where('tenant_id', '=', slot<string>('tenantId')),
    )
    return (await one(this.reader, there, { tenantId })) !== null
  }

  async remember(tenantId: string, observed: ObservedBoundary): Promise<void> {
    const remembering = statement('boundary.remember', (db) => {
      const columns = {
        built_from: slot<string>('builtFrom'),
        namespace_version: slot<string>('namespaceVersion'),
        network_policy_version: slot<string>('networkPolicyVersion'),
        limits_version: slot<string>('limitsVersion'),
      }
      return db
        .insertInto('tenant_boundary')
        .values({ tenant_id: slot<string>('tenantId'), ...columns })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(columns))
    })
    await this.reader.all(remembering, { tenantId, ...observed })
  }
}
