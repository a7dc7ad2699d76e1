import { databaseUrl } from '../compose/database.ts'
import { migrate } from '../store/migrate.ts'
import { runProgram } from './run.ts'

/**
 * Migrates the database schema and exits. Run it for an external database before its replicas are
 * updated; otherwise it migrates the embedded database.
 */
await runProgram({
  ownsDataDir: (config) => config.database.url === null,
  async start(context) {
    const url = await databaseUrl(context)
    await context.progress.step('Migrating the database', () => migrate(url, context.log))
    await context.stop.now('the command migrate has ended')
  },
})
