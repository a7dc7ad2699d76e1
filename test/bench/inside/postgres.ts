/* The embedded PostgreSQL with the product's settings (fsync on), for all programs of the bench. */
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { startEmbeddedPostgres } from '../../../server/src/engine/postgres/embedded.ts'
import { serveRequests } from '../process/channel.ts'

const postgres = await startEmbeddedPostgres({
  dataDir: process.env['BENCH_DATA_DIR'] ?? '',
  log: createLog('silent'),
  clock: systemClock,
})

process.once('SIGTERM', () => void postgres.stop().finally(() => process.exit()))
serveRequests({ url: postgres.connectionUrl }, async () => null)
