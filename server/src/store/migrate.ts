import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Migration, runMigrations } from '../engine/database/run-migrations.ts'
import { type Log } from '../runtime/log.ts'

/** The build copies this folder next to the programs, so one path fits sources and builds. */
const folder = join(import.meta.dirname, 'migrations')

/** Returns all migrations in the order in which they run. */
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
