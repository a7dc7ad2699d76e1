import { type WorkKey } from '../store/work-lease.ts'
import { type Source } from './sources.ts'

interface TenantKeys {
  /** All tenants that are not gone, in pages. */
  list(after: string | null): Promise<{ ids: readonly string[]; after: string | null }>
}

const keyOf = (id: string): WorkKey => ({ kind: 'tenant', objectId: id, tenantId: id })

/** A tenant is looked at when it changes, and all of them once a minute. */
export function tenantSource({ list }: TenantKeys): Source {
  return {
    changes: { tenant: (change) => [keyOf(change.objectId)] },
    async *everything() {
      for (let after: string | null = null, first = true; first || after !== null; first = false) {
        const page: Awaited<ReturnType<TenantKeys['list']>> = await list(after)
        yield page.ids.map(keyOf)
        after = page.after
      }
    },
  }
}
