import { type ObjectReader } from '../cluster/reader.ts'
import { isIsoVolume } from '../domain/vm-template/iso-volume.ts'
import { type Store } from '../store/store.ts'
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

interface TemplateKeys {
  store: Pick<Store, 'templateKeys' | 'templateKeysOf'>
  reader: Pick<ObjectReader, 'listObjects'>
}

/**
 * Once a minute every template that is imported, and every volume of one: what a worker made that was paused beyond the end of the import, or of the
 * template, is found by its volume alone. Use cases ring for what they ask; a reconciler's own writes need no second look.
 */
export function templateSource({ store, reader }: TemplateKeys): Source {
  return {
    changes: {},
    async *everything() {
      for (let after: string | null = null, first = true; first || after !== null; first = false) {
        const page: Awaited<ReturnType<typeof store.templateKeys>> = await store.templateKeys(after)
        yield page.keys
        after = page.after
      }
      for (let after: string | null = null, first = true; first || after !== null; first = false) {
        const page: Awaited<ReturnType<typeof reader.listObjects>> = await reader.listObjects('dataVolume', { limit: 500, after })
        yield await store.templateKeysOf(page.items.filter(({ name }) => isIsoVolume(name)).flatMap(({ rowId }) => rowId ?? []))
        after = page.after
      }
    },
  }
}
