import { type EntitySchema } from '@mikro-orm/core'
import { type ConstraintSentences } from '../engine/database/database-fault.ts'
import { type UnitTools } from '../engine/database/unit.ts'
import { type KeyReads } from '../engine/database/sql/key-page.ts'
import { type Reader } from '../engine/database/sql/reader.ts'
import { type WorkKey } from '../engine/model/work-key.ts'

interface TenantRecord {
  tenantId?: string | null
  goneAt?: string | null
}

/** The parts of a noun in the store. `nouns.ts` lists all nouns. */
export interface NounParts {
  /** A row class or schema for each table that a unit changes. */
  entities: readonly (EntitySchema | (new () => object))[]
  /** The read classes by their name in `Reads`. */
  reads: Readonly<Record<string, new (reader: Reader) => object>>
  /** The stores of a unit by their name in `Op`. */
  stores: Readonly<Record<string, new (unit: UnitTools, reader: Reader) => object>>
  /** The work keys for reconcilers by kind of work. */
  workKeys: Readonly<Record<string, KeyReads<WorkKey>>>
  /** The entities whose rows are deleted when their tenant is gone, in the order of the deletes. */
  deletedWithTenant?: readonly (new () => { tenantId?: string | null })[]
  /** The entities whose rows are marked as gone with their tenant. The rows stay as a record. */
  goneWithTenant?: readonly (new () => TenantRecord)[]
  /** Messages to the client when a race violates a constraint of the noun's tables. */
  constraints?: ConstraintSentences
}
