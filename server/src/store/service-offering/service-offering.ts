import { listReads, nameKey } from '../../engine/database/sql/list-reads.ts'
import { UnitStore } from '../../engine/database/unit-store.ts'
import { sql } from 'kysely'
import { type ServiceOfferingView } from '../../domain/service-offering/service-offering.ts'
import { newId } from '../../runtime/ids.ts'
import { ServiceOffering } from './service-offering-entity.ts'
import { type Direction, type SortKey } from '../../engine/database/sql/page.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { one } from '../../engine/database/sql/reader.ts'
import { contains, countAll } from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'

export interface ServiceOfferingQuery {
  search?: string | null
  includeInactive: boolean
  sort: 'name' | 'cpu' | 'memoryMi'
  direction: Direction
}

/** Writes service offerings, the named sizes of VMs, in the transaction of a unit of work. */
export class ServiceOfferingStore extends UnitStore {
  async insert(
    values: Pick<ServiceOfferingView, 'name' | 'displayName' | 'cpu' | 'memoryMi' | 'dedicatedCpu'>,
  ): Promise<ServiceOfferingView> {
    return insertOffering(this.reader, { id: newId(), ...values })
  }

  get(id: string): Promise<ServiceOffering> {
    return this.lockById(ServiceOffering, { id }, 'service offering')
  }

  async nameTaken(name: string): Promise<boolean> {
    const named = statement('offering.named', (db) =>
      db.selectFrom('service_offering').select('id').where('name', '=', slot<string>('name')),
    )
    return (await one(this.reader, named, { name })) !== null
  }

  remove(offering: ServiceOffering): void {
    this.unit.em.remove(offering)
  }
}

/** Reads service offerings as clients see them. */
export class ServiceOfferingReads extends listReads<
  'service_offering',
  ServiceOfferingView,
  ServiceOfferingQuery
>({
  stem: 'offering',
  tenantColumn: null,
  rows: (db) => db.selectFrom('service_offering').select(shown),
  counted: (db) => db.selectFrom('service_offering').select(countAll),
  found: contains('name', 'display_name'),
  narrowedBy: {
    includeInactive: {
      where: sql<boolean>`state = 'Active'`,
      applies: (includesInactive) => !includesInactive,
    },
  },
  sortedBy: ({ sort }) => sortKeys[sort],
}) {
  findByName(name: string): Promise<ServiceOfferingView | null> {
    const named = statement('offering.findByName', (db) =>
      db.selectFrom('service_offering').select(shown).where('name', '=', slot<string>('name')),
    )
    return one(this.reader, named, { name })
  }
}

const cpu: SortKey<ServiceOfferingView> = { sql: sql.ref('cpu'), type: 'int', of: (row) => row.cpu }
const memoryMi: SortKey<ServiceOfferingView> = {
  sql: sql.ref('memory_mi'),
  type: 'int',
  of: (row) => row.memoryMi,
}

const sortKeys: Record<ServiceOfferingQuery['sort'], readonly SortKey<ServiceOfferingView>[]> = {
  name: [nameKey],
  cpu: [cpu, nameKey],
  memoryMi: [memoryMi, nameKey],
}

const shown = [
  ...([
    'id',
    'name',
    'cpu',
    'state',
    'version',
    'display_name as displayName',
    'memory_mi as memoryMi',
  ] as const),
  ...([
    'dedicated_cpu as dedicatedCpu',
    'storage_tags as storageTags',
    'external_uuid as externalUuid',
  ] as const),
  ...(['import_source as importSource'] as const),
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

const insertOffering = insertInto('service_offering', (row) => row.returning(shown))
