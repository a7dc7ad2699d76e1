import { allChangeKinds } from '../../../server/src/domain/nouns.ts'
/*
 * Berth's GraphQL sockets on the real change log, with the limits lifted that a thousand
 * subscribers of one user would meet. An event is a row of the change log; the doorbell, the tail
 * and the hub are the product's and count.
 */
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import pg from 'pg'
import { startFeed } from '../../../server/src/engine/changes/feed.ts'
import { anonymous } from '../../../server/src/engine/model/viewer.ts'
import { type GraphSocketOptions, graphSocketOn } from '../../../server/src/edge/graphql-socket.ts'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { upgradesOn } from '../../../server/src/engine/sockets/upgrade.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { createMetrics } from '../../../server/src/runtime/metrics/metrics.ts'
import { workerConnection } from '../../../server/src/engine/database/database.ts'
import { answering } from '../process/channel.ts'

const log = createLog('silent')
const connection = workerConnection(process.env['BENCH_DATABASE_URL'] ?? '')
const pool = new pg.Pool({ ...connection, max: 2 })
const feed = await startFeed({ kinds: allChangeKinds, pool, connection, clock: systemClock, log })
const viewer = {
  ...anonymous,
  username: 'root',
  role: 'root',
  permissions: new Set(['*']),
  credential: 'token',
} as const
// A subscription to changes asks the site for nothing else.
const site = {
  berth: { reads: () => ({}) },
  hub: feed.hub,
  identify: { viewerOf: () => Promise.resolve(viewer) },
  pageCap: 200,
} as unknown as GraphSocketOptions['site']
const server = createServer()
const upgrades = upgradesOn({ server, allowedOrigins: () => [], log })
const limits = { socketsPerUser: 100_000, socketsPerTenant: 100_000, strangers: 100_000 }
const metrics = createMetrics({ withProcess: false })
graphSocketOn({
  schema: buildBerthSchema(),
  site,
  upgrades,
  introspection: false,
  trustProxy: 0,
  clock: systemClock,
  log,
  metrics,
  limits,
})

let rungAt = 0n
feed.onRing(() => (rungAt = process.hrtime.bigint()))

process.once('SIGTERM', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  // A server on TCP has an address of this form.
  answering({ port: (server.address() as AddressInfo).port }, async () => String(rungAt))
})
