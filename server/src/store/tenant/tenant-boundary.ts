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

/** The uids of the isolating objects; null for a tenant from before they were recorded. */
export interface BoundaryUids {
  limitsUid: string | null
  networkPolicyUid: string | null
  quotaUid: string | null
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
  /** Returns the uids of the isolating objects; null before they were created. */
  uidsOf(tenantId: string): Promise<BoundaryUids | null> {
    const known = statement('boundary.uids', (db) =>
      db
        .selectFrom('tenant_boundary')
        .select('limits_uid as limitsUid')
        .select('network_policy_uid as networkPolicyUid')
        .select('quota_uid as quotaUid')
        .where('tenant_id', '=', slot<string>('tenantId')),
    )
    return one(this.reader, known, { tenantId })
  }

  async remember(tenantId: string, observed: ObservedBoundary & BoundaryUids): Promise<void> {
    const remembering = statement('boundary.remember', (db) => {
      const columns = {
        built_from: slot<string>('builtFrom'),
        namespace_version: slot<string>('namespaceVersion'),
        network_policy_version: slot<string>('networkPolicyVersion'),
        limits_version: slot<string>('limitsVersion'),
        limits_uid: slot<string>('limitsUid'),
        network_policy_uid: slot<string>('networkPolicyUid'),
        quota_uid: slot<string>('quotaUid'),
      }
      return db
        .insertInto('tenant_boundary')
        .values({ tenant_id: slot<string>('tenantId'), ...columns })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(columns))
    })
    await this.reader.all(remembering, { tenantId, ...observed })
  }
}
