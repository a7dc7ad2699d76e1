import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Migration, runMigrations } from '../engine/database/run-migrations.ts'
import { type Log } from '../runtime/log.ts'

/** The build copies the folder beside the programs, so it is found from the sources and there. */
const folder = join(import.meta.dirname, 'migrations')

/** Every file of the folder, in the order in which they run. */
export const migrationFiles = (): Migration[] =>
  readdirSync(folder)
    .toSorted()
    .map((file) => ({
      name: file.replace(/\.sql$/, ''),
      sql: readFileSync(join(folder, file), 'utf8'),
    }))

/** Brings the schema up to date. Migrations only go forward. */
export const migrate = (url: string, log: Log): Promise<void> =>
  runMigrations(url, migrationFiles(), log)
