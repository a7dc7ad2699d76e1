import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { type Reader, one } from '../../engine/database/sql/reader.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

/** What was seen of the objects that keep a tenant apart, when they were last made or corrected. */
export interface SeenBoundary {
  madeOf: string
  namespaceVersion: string
  wallVersion: string
  limitsVersion: string
}

/** Raised when the objects are to be others than before, so that those that are there become so. */
const revision = 1

/**
 * What they are made of: another text, and they have to be made again. A tenant's own quota is not
 * in it; whoever changes that asks for a look.
 */
export const boundaryOf = (
  defaults: QuotaLimits,
  { hasOwnLimits }: { hasOwnLimits: boolean },
): string => JSON.stringify([revision, hasOwnLimits ? null : defaults])

/** Only the reconciler writes it. */
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

  async remember(tenantId: string, seen: SeenBoundary): Promise<void> {
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
    await this.#reader.all(remembering, { tenantId, ...seen })
  }
}
