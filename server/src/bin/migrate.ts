import { systemClock } from '../runtime/clock.ts'
import { startEmbeddedPostgres } from '../store/embedded.ts'
import { migrate } from '../store/migrate.ts'
import { runProgram } from './run.ts'

/** Brings the schema up to date and ends: for an external database before its replicas are rolled, else for the embedded one. */
await runProgram({
  ownsDataDir: (config) => config.database.url === null,
  async start({ config, log, stop, progress }) {
    const url = config.database.url?.reveal() ?? (await embeddedUrl())
    await progress.step('Migrating the database', () => migrate(url, log))
    await stop.now('migrated')

    async function embeddedUrl(): Promise<string> {
      const postgres = await progress.step('Starting PostgreSQL', () =>
        startEmbeddedPostgres({ dataDir: `${config.data.dir}/postgres`, log, clock: systemClock }),
      )
      stop.onStop('PostgreSQL', () => postgres.stop(), 15_000)
      return postgres.connectionUrl
    }
  },
})
