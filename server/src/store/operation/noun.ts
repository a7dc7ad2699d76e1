import { type UnitTools } from '../../engine/database/unit.ts'
import { type Reader } from '../../engine/database/sql/reader.ts'
import { type NounParts } from '../noun-parts.ts'
import { Operation } from './operation-entity.ts'
import { OperationReads, OperationStore } from './operation.ts'

/** The part of the store for operations: tables and queries. */
export const operationNoun = {
  entities: [Operation],
  reads: { operations: OperationReads },
  stores: {
    operations: (unit: UnitTools, reader: Reader) => new OperationStore(unit, reader),
  },
  workKeys: {},
} satisfies NounParts
