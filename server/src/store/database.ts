import {
  type Database,
  type DatabaseOptions,
  connectDatabase,
} from '../engine/database/database.ts'
import { type NounParts } from './noun-parts.ts'
import { nouns } from './nouns.ts'

const constraintsOf = ({ constraints = {} }: NounParts) => Object.entries(constraints)

/** Connects to the database with the tables and the constraint messages of all nouns. */
export const openDatabase = (
  options: Omit<DatabaseOptions, 'entities' | 'constraints'>,
): Promise<Database> =>
  connectDatabase({
    ...options,
    entities: nouns.flatMap(({ entities }) => [...entities]),
    constraints: Object.fromEntries(nouns.flatMap(constraintsOf)),
  })
