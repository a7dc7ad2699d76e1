import {
  type Database,
  type DatabaseOptions,
  connectDatabase,
} from '../engine/database/database.ts'
import { nouns } from './nouns.ts'

export const openDatabase = (options: Omit<DatabaseOptions, 'entities'>): Promise<Database> =>
  connectDatabase({ ...options, entities: nouns.flatMap(({ entities }) => [...entities]) })
