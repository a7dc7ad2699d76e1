import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { startBerth } from '../../server/src/compose.ts'
import { systemClock } from '../../server/src/runtime/clock.ts'
import { loadConfig } from '../../server/src/runtime/config.ts'
import { createLog } from '../../server/src/runtime/log.ts'
import { createStop } from '../../server/src/runtime/stop.ts'
import { freePort } from './world-client.ts'
import { type World } from './world.ts'

const replicas: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of replicas) await stop()
})

/** Doors of their own on the database and the cluster of a world, and where that is said a worker; answers where. Closed after the file. */
export async function anotherReplica(world: World, { worker = false } = {}): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'berth-replica-'))
  // All replicas have the same.
  const secret = readFileSync(join(world.config.data.dir, 'secret'), 'utf8')
  const port = String(await freePort())
  const env = { BERTH_DATABASE_URL: world.database.url, BERTH_DATA_DIR: dataDir, BERTH_SECRET: secret, BERTH_PORT: port }
  const config = loadConfig({ cwd: dataDir, env })
  Object.assign(config, { platform: world.config.platform, network: world.config.network })
  config.cluster = { ...config.cluster, kind: 'kubeconfig', kubeconfig: join(world.config.data.dir, 'sandbox', 'kubeconfig') }
  const log = createLog('silent')
  const stop = createStop({ log, clock: systemClock })
  replicas.push(async () => {
    await stop.now('the test is over')
    rmSync(dataDir, { recursive: true, force: true })
  })
  const parts = { api: true, worker, sandbox: false }
  return (await startBerth({ ...{ config, log, stop, parts }, progress: { step: (_what, task) => task() } })).url
}
