import { type EntitySchema } from '@mikro-orm/core'
import { type ConstraintSentences } from '../engine/database/database-fault.ts'
import { type UnitTools } from '../engine/database/unit.ts'
import { type Keys } from '../engine/database/sql/key-page.ts'
import { type Reader } from '../engine/database/sql/reader.ts'
import { type WorkKey } from '../engine/model/work-key.ts'

/** What a noun brings to the store; `nouns.ts` lists them all. */
export interface NounParts {
  /** One row class or schema for each table that a unit changes. */
  entities: readonly (EntitySchema | (new () => object))[]
  /** The reads, by the name that they have in `Reads`. */
  reads: Readonly<Record<string, new (reader: Reader) => object>>
  /** The stores of a unit, by the name that they have in `Op`. */
  stores: Readonly<Record<string, (unit: UnitTools, reader: Reader) => object>>
  /** The keys of rows that a reconciler looks at, by the kind of work. */
  keys: Readonly<Record<string, Keys<WorkKey>>>
  /** What a caller is told when a race hits a constraint of the noun's tables. */
  constraints?: ConstraintSentences
}
