import { type NounParts } from '../noun-parts.ts'
import { Operation } from './operation-entity.ts'
import { OperationReads, OperationStore } from './operation.ts'

/** The part of the store for operations: tables and queries. */
export const operationNoun = {
  entities: [Operation],
  reads: { operations: OperationReads },
  stores: { operations: OperationStore },
  workKeys: {},
} satisfies NounParts
