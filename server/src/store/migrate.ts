import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Migration, runMigrations } from '../engine/database/run-migrations.ts'
import { nameSessions } from '../engine/database/schema-version.ts'
import { type Log } from '../runtime/log.ts'

/** The build copies this folder next to the programs, so one path fits sources and builds. */
const folder = join(import.meta.dirname, 'migrations')

/**
 * Files that were changed so that an ordinary owner can run them. Databases that ran the earlier
 * texts stay as they are.
 */
const formerChecksums: Readonly<Record<string, readonly string[]>> = {
  '0001-foundation': ['386df9b9e243325b5e3dd5e76ebedf16adc85e0d8d54fdad2e49fa75ff036f81'],
  '0010-nic': ['7d2955db95614856455eb9ebbc0be65607d1f0ce0666ce8ed9580a7978f272d4'],
}

const migrationNames = (): string[] =>
  readdirSync(folder)
    .map((file) => file.replace(/\.sql$/, ''))
    .toSorted()

/** Returns all migrations in the order in which they run. */
export const migrationFiles = (): Migration[] =>
  migrationNames().map((name) => ({
    name,
    sql: readFileSync(join(folder, `${name}.sql`), 'utf8'),
    formerChecksums: formerChecksums[name] ?? [],
  }))

/** Brings the schema up to date. Migrations only go forward. */
export const migrate = (url: string, log: Log): Promise<void> =>
  runMigrations(url, migrationFiles(), { log })

/** Returns the URL of the database for the sessions of this build. */
export const sessionUrl = (url: string): string => nameSessions(url, migrationNames().at(-1) ?? '')
