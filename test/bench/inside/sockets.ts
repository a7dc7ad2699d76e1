import { allChangeKinds } from '../../../server/src/domain/nouns.ts'
/*
 * Berth's GraphQL sockets on the real change log. The limits are raised, because a thousand
 * subscribers of one user would exceed them. An event is a row of the change log; doorbell, tail
 * and hub are the product's and are measured.
 */
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import pg from 'pg'
import { startChangeFeed } from '../../../server/src/engine/changes/feed.ts'
import { anonymous } from '../../../server/src/engine/model/viewer.ts'
import { type GraphSocketOptions, graphSocketOn } from '../../../server/src/edge/graphql-socket.ts'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { createUpgrades } from '../../../server/src/engine/sockets/upgrade.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { createMetrics } from '../../../server/src/runtime/metrics/metrics.ts'
import { workerConnection } from '../../../server/src/engine/database/database.ts'
import { serveRequests } from '../process/channel.ts'

const log = createLog('silent')
const connection = workerConnection(process.env['BENCH_DATABASE_URL'] ?? '')
const pool = new pg.Pool({ ...connection, max: 2 })
const feed = await startChangeFeed({
  kinds: allChangeKinds,
  pool,
  connection,
  clock: systemClock,
  log,
})
const viewer = {
  ...anonymous,
  username: 'root',
  role: 'root',
  permissions: new Set(['*']),
  credential: 'token',
} as const
// A subscription to changes reads nothing else from the context.
const context = {
  berth: { reads: () => ({}) },
  hub: feed.hub,
  identify: { viewerOf: () => Promise.resolve(viewer) },
  pageCap: 200,
} as unknown as GraphSocketOptions['server']
const server = createServer()
const upgrades = createUpgrades({ server, allowedOrigins: () => [], log })
const limits = {
  socketsPerUser: 100_000,
  socketsPerTenant: 100_000,
  unauthenticatedSockets: 100_000,
  unauthenticatedPerNetwork: 100_000,
}
const metrics = createMetrics({ withProcess: false })
graphSocketOn({
  schema: buildBerthSchema(),
  server: context,
  upgrades,
  introspection: false,
  trustProxy: 0,
  clock: systemClock,
  log,
  metrics,
  limits,
})

let notifiedAt = 0n
feed.onNotification(() => (notifiedAt = process.hrtime.bigint()))

process.once('SIGTERM', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  // The address of a TCP server is an AddressInfo.
  serveRequests({ port: (server.address() as AddressInfo).port }, async () => String(notifiedAt))
})
