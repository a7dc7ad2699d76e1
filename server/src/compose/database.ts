import { join } from 'node:path'
import { sealFromSecret } from '../runtime/seal.ts'
import { type Secret } from '../runtime/config/secret.ts'
import { signingSecret } from '../runtime/config/signing-secret.ts'
import { startEmbeddedPostgres } from '../engine/postgres/embedded.ts'
import { migrate, sessionUrl } from '../store/migrate.ts'
import { type Database } from '../engine/database/database.ts'
import { openDatabase } from '../store/database.ts'
import { type Store, storeOn } from '../store/store.ts'
import { type StartupContext } from './startup-context.ts'

type StoreContext = Pick<StartupContext, 'config' | 'clock' | 'log' | 'stop' | 'progress'>

export interface OpenStore {
  url: string
  secret: Secret
  database: Database
  store: Store
}

/**
 * Opens the database as the application, after it has started the embedded one if needed and
 * migrated it.
 */
export async function openStore(context: StoreContext): Promise<OpenStore> {
  const { config, clock, log, stop, progress } = context
  const secret = signingSecret(config.security.secret, config.data.dir)
  const url = sessionUrl(await databaseUrl(context))
  await progress.step('Preparing the database', () => migrate(url, log))
  const { driver, pool } = config.database
  const database = await openDatabase({ url, log, driver, ...pool, poolSize: pool.size })
  stop.onStop('database', () => database.close())
  return {
    url,
    secret,
    database,
    store: storeOn({
      database,
      clock,
      seal: sealFromSecret(secret, 'answers'),
      deadlineFactor: config.operations.deadlineFactor,
    }),
  }
}

/** Returns the URL of the database. It starts the embedded one first. */
export async function databaseUrl({
  config,
  clock,
  log,
  stop,
  progress,
}: StoreContext): Promise<string> {
  if (config.database.url) return config.database.url.reveal()
  const start = () =>
    startEmbeddedPostgres({ dataDir: join(config.data.dir, 'postgres'), log, clock })
  const postgres = await progress.step('Starting PostgreSQL', start)
  stop.onStop('PostgreSQL', () => postgres.stop(), 15_000)
  return postgres.connectionUrl
}
