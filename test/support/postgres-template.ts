import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createLog, type Log } from '../../server/src/runtime/log.ts'

/** Fills the database that all test databases are copies of. */
export async function prepareTemplate(url: string): Promise<void> {
  const runner = fileURLToPath(new URL('../../server/src/store/migrate.ts', import.meta.url))
  if (!existsSync(runner)) return
  // The signature is the migration runner's own.
  const { migrate } = (await import(runner)) as { migrate: (url: string, log: Log) => Promise<void> }
  await migrate(url, createLog('silent'))
}
