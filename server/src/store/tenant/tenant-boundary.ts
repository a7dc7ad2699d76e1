import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { type Reader, one } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

/** Versions of the objects that isolate a tenant, after they were last created or corrected. */
export interface SeenBoundary {
  madeOf: string
  namespaceVersion: string
  wallVersion: string
  limitsVersion: string
}

/** Increase this number when the objects change, so that those of existing tenants are updated. */
const revision = 1

/**
 * Describes the settings that the objects are built from. When the text changes, they are built
 * again. A tenant's own quota is not included, because its change enqueues the tenant.
 */
export const boundaryOf = (
  defaults: QuotaLimits,
  { hasOwnLimits }: { hasOwnLimits: boolean },
): string => JSON.stringify([revision, hasOwnLimits ? null : defaults])

/** Only the reconciler writes these rows. */
export class TenantBoundaryStore {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  async isThere(tenantId: string): Promise<boolean> {
    const there = statement('boundary.there', (db) =>
      db
        .selectFrom('tenant_boundary')
        .select('tenant_id')
        .where('tenant_id', '=', slot<string>('tenantId')),
    )
    return (await one(this.#reader, there, { tenantId })) !== null
  }

  async remember(tenantId: string, observed: SeenBoundary): Promise<void> {
    const remembering = statement('boundary.remember', (db) => {
      const columns = {
        made_of: slot<string>('madeOf'),
        namespace_version: slot<string>('namespaceVersion'),
        wall_version: slot<string>('wallVersion'),
        limits_version: slot<string>('limitsVersion'),
      }
      return db
        .insertInto('tenant_boundary')
        .values({ tenant_id: slot<string>('tenantId'), ...columns })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(columns))
    })
    await this.#reader.all(remembering, { tenantId, ...observed })
  }
}
