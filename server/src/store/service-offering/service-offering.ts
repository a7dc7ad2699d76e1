import { LockMode } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { notFound } from '../../engine/model/fault.ts'
import { type Page, type PageRequest } from '../../engine/model/page.ts'
import { type ServiceOfferingView } from '../../domain/service-offering/service-offering.ts'
import { isId, newId } from '../../runtime/ids.ts'
import { ServiceOffering } from './service-offering-entity.ts'
import { type Direction, type SortKey, readPage } from '../../engine/database/sql/page.ts'
import { insertInto } from '../../engine/database/sql/insert-into.ts'
import { type Reader, one, only } from '../../engine/database/sql/reader.ts'
import {
  type Filterable,
  contains,
  countAll,
  searchPattern,
  whereIf,
} from '../../engine/database/sql/search.ts'
import { slot, statement } from '../../engine/database/sql/statement.ts'
import { type Tables } from '../../engine/model/registry.ts'
import { type UnitTools } from '../../engine/database/unit.ts'

export interface ServiceOfferingQuery {
  search?: string | null
  includeInactive: boolean
  sort: 'name' | 'cpu' | 'memoryMi'
  direction: Direction
}

/** Writes service offerings, the named sizes of VMs, in the transaction of a unit of work. */
export class ServiceOfferingStore {
  readonly #unit: Pick<UnitTools, 'em'>
  readonly #reader: Reader

  constructor(unit: Pick<UnitTools, 'em'>, reader: Reader) {
    this.#unit = unit
    this.#reader = reader
  }

  async insert(
    values: Pick<ServiceOfferingView, 'name' | 'displayName' | 'cpu' | 'memoryMi' | 'dedicatedCpu'>,
  ): Promise<ServiceOfferingView> {
    return insertOffering(this.#reader, { id: newId(), ...values })
  }

  async get(id: string): Promise<ServiceOffering> {
    const offering = isId(id)
      ? await this.#unit.em.findOne(
          ServiceOffering,
          { id },
          { lockMode: LockMode.PESSIMISTIC_WRITE },
        )
      : null
    if (!offering) throw notFound('service offering', id)
    return offering
  }

  async nameTaken(name: string): Promise<boolean> {
    const named = statement('offering.named', (db) =>
      db.selectFrom('service_offering').select('id').where('name', '=', slot<string>('name')),
    )
    return (await one(this.#reader, named, { name })) !== null
  }

  remove(offering: ServiceOffering): void {
    this.#unit.em.remove(offering)
  }
}

/** Reads service offerings as clients see them. */
export class ServiceOfferingReads {
  readonly #reader: Reader

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(id: string): Promise<ServiceOfferingView | null> {
    if (!isId(id)) return Promise.resolve(null)
    return one(
      this.#reader,
      statement('offering.find', (db) => views(db).where('id', '=', slot<string>('id'))),
      { id },
    )
  }

  list(page: PageRequest, query: ServiceOfferingQuery): Promise<Page<ServiceOfferingView>> {
    const { direction } = query
    const keys = sortKeys[query.sort]
    return readPage(this.#reader, page, {
      shape: `offering.list ${shapeOf(query)} ${query.sort}`,
      keys,
      direction,
      args: argsOf(query),
      tenantColumn: null,
      rows: (db) => matching(views(db), query),
    })
  }

  async count(query: ServiceOfferingQuery): Promise<number> {
    const counted = statement(`offering.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('service_offering').select(countAll), query),
    )
    return (await only(this.#reader, counted, argsOf(query))).total
  }
}

const name: SortKey<ServiceOfferingView> = {
  sql: sql.ref('name'),
  type: 'text',
  of: (row) => row.name,
}
const cpu: SortKey<ServiceOfferingView> = { sql: sql.ref('cpu'), type: 'int', of: (row) => row.cpu }
const memoryMi: SortKey<ServiceOfferingView> = {
  sql: sql.ref('memory_mi'),
  type: 'int',
  of: (row) => row.memoryMi,
}

const sortKeys: Record<ServiceOfferingQuery['sort'], readonly SortKey<ServiceOfferingView>[]> = {
  name: [name],
  cpu: [cpu, name],
  memoryMi: [memoryMi, name],
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

const views = (db: Kysely<Tables>) => db.selectFrom('service_offering').select(shown)

const insertOffering = insertInto('service_offering', (row) => row.returning(shown))

function matching<Query extends Filterable<Query>>(
  query: Query,
  { search, includeInactive }: ServiceOfferingQuery,
): Query {
  const searched = whereIf(Boolean(search), query, contains('name', 'display_name'))
  return whereIf(!includeInactive, searched, sql<boolean>`state = 'Active'`)
}

const shapeOf = ({ search, includeInactive }: ServiceOfferingQuery): string =>
  `${search ? 's' : ''}${includeInactive ? 'i' : ''}`

const argsOf = ({ search }: ServiceOfferingQuery): Record<string, unknown> => ({
  search: searchPattern(search),
})
