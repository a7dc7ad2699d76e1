import { type EntityName, type FilterQuery, LockMode } from '@mikro-orm/postgresql'
import { notFound } from '../model/fault.ts'
import { isId } from '../../runtime/ids.ts'
import { type Reader } from './sql/reader.ts'
import { type UnitTools } from './unit.ts'

/** The writes of one noun in one unit of work. Locked rows stay locked until the unit ends. */
export abstract class UnitStore {
  protected readonly unit: UnitTools
  protected readonly reader: Reader

  constructor(unit: UnitTools, reader: Reader) {
    this.unit = unit
    this.reader = reader
  }

  /** Returns the row, locked; null when there is none. */
  protected lockRow<Row extends object>(
    entity: EntityName<Row>,
    where: FilterQuery<NoInfer<Row>>,
  ): Promise<Row | null> {
    return this.unit.em.findOne(entity, where, { lockMode: LockMode.PESSIMISTIC_WRITE })
  }

  /** Returns the row with an id from a request, locked. Throws that the noun was not found. */
  protected async lockById<Row extends { id: string }>(
    entity: EntityName<Row>,
    where: FilterQuery<NoInfer<Row>> & { id: string },
    noun: Parameters<typeof notFound>[0],
  ): Promise<Row> {
    const row = isId(where.id) ? await this.lockRow(entity, where) : null
    if (!row) throw notFound(noun, where.id)
    return row
  }
}
