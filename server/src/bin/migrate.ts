import { databaseUrl } from '../compose/database.ts'
import { migrate } from '../store/migrate.ts'
import { runProgram } from './run.ts'

/**
 * Brings the schema up to date and ends: for an external database before its replicas are rolled,
 * else for the embedded one.
 */
await runProgram({
  ownsDataDir: (config) => config.database.url === null,
  async start(around) {
    const url = await databaseUrl(around)
    await around.progress.step('Migrating the database', () => migrate(url, around.log))
    await around.stop.now('migrated')
  },
})
