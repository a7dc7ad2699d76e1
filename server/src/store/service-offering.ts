import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { type Kysely, sql } from 'kysely'
import { notFound } from '../domain/fault.ts'
import { type Page, type PageRequest } from '../domain/page.ts'
import { type ServiceOfferingView } from '../domain/service-offering/service-offering.ts'
import { isId, newId } from '../runtime/ids.ts'
import { ServiceOffering } from './entities/service-offering.ts'
import { type Direction, type SortKey, paged, readPage } from './page.ts'
import { type Reader, one } from './reader.ts'
import { type Filterable, contains, countAll, searchPattern, whereIf } from './search.ts'
import { slot, statement } from './statement.ts'
import { type Tables } from './tables.ts'

export interface ServiceOfferingQuery {
  search?: string | null
  includeInactive: boolean
  sort: 'name' | 'cpu' | 'memoryMi'
  direction: Direction
}

export class ServiceOfferingStore {
  readonly #em: EntityManager

  constructor(em: EntityManager) {
    this.#em = em
  }

  add(values: Pick<ServiceOffering, 'name' | 'displayName' | 'cpu' | 'memoryMi' | 'dedicatedCpu'>): ServiceOffering {
    return this.#em.create(ServiceOffering, { id: newId(), ...values })
  }

  async get(id: string): Promise<ServiceOffering> {
    const offering = isId(id) ? await this.#em.findOne(ServiceOffering, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE }) : null
    if (!offering) throw notFound('service offering', id)
    return offering
  }

  async nameTaken(name: string): Promise<boolean> {
    return (await this.#em.count(ServiceOffering, { name })) > 0
  }

  remove(offering: ServiceOffering): void {
    this.#em.remove(offering)
  }
}

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
    const shape = `offering.list ${shapeOf(query)} ${query.sort} ${direction} ${page.after === null}`
    const list = statement(shape, (db) => paged(matching(views(db), query), { keys, direction }, page.after !== null))
    return readPage(this.#reader, page, { shape, keys, direction, args: argsOf(query), statement: list })
  }

  async count(query: ServiceOfferingQuery): Promise<number> {
    const counted = statement(`offering.count ${shapeOf(query)}`, (db) =>
      matching(db.selectFrom('service_offering').select(countAll), query),
    )
    return (await one(this.#reader, counted, argsOf(query)))?.total ?? 0
  }
}

export function serviceOfferingView(offering: ServiceOffering): ServiceOfferingView {
  const { id, name, displayName, cpu, memoryMi, dedicatedCpu, state, version, createdAt, updatedAt } = offering
  return {
    ...{ id, name, displayName, cpu, memoryMi, dedicatedCpu, state, version, createdAt, updatedAt },
    storageTags: offering.storageTags ?? null,
    externalUuid: offering.externalUuid ?? null,
    importSource: offering.importSource ?? null,
  }
}

const name: SortKey<ServiceOfferingView> = { sql: sql.ref('name'), type: 'text', of: (row) => row.name }
const cpu: SortKey<ServiceOfferingView> = { sql: sql.ref('cpu'), type: 'int', of: (row) => row.cpu }
const memoryMi: SortKey<ServiceOfferingView> = { sql: sql.ref('memory_mi'), type: 'int', of: (row) => row.memoryMi }

const sortKeys: Record<ServiceOfferingQuery['sort'], readonly SortKey<ServiceOfferingView>[]> = {
  name: [name],
  cpu: [cpu, name],
  memoryMi: [memoryMi, name],
}

const views = (db: Kysely<Tables>) =>
  db
    .selectFrom('service_offering')
    .select(['id', 'name', 'cpu', 'state', 'version', 'display_name as displayName', 'memory_mi as memoryMi'])
    .select(['dedicated_cpu as dedicatedCpu', 'storage_tags as storageTags', 'external_uuid as externalUuid'])
    .select(['import_source as importSource', 'created_at as createdAt', 'updated_at as updatedAt'])

function matching<Query extends Filterable<Query>>(query: Query, { search, includeInactive }: ServiceOfferingQuery): Query {
  const searched = whereIf(Boolean(search), query, contains('name', 'display_name'))
  return whereIf(!includeInactive, searched, sql<boolean>`state = 'Active'`)
}

const shapeOf = ({ search, includeInactive }: ServiceOfferingQuery): string => `${search ? 's' : ''}${includeInactive ? 'i' : ''}`

const argsOf = ({ search }: ServiceOfferingQuery): Record<string, unknown> => ({ search: searchPattern(search) })
