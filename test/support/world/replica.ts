import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBerth } from '../../../server/src/compose.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { loadConfig } from '../../../server/src/runtime/config/config.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { createStop } from '../../../server/src/runtime/stop.ts'
import { freePort } from '../clients/http-client.ts'
import { closeAfterFile } from './after-file.ts'
import { type World } from './world.ts'

/** A second server of Berth beside the one of a world. */
export interface Replica {
  url: string
  /** The lines that the replica has logged. */
  logged: string[]
  stop(): Promise<void>
}

interface ReplicaOptions {
  worker?: boolean
  api?: boolean
  /** The account of the replica in the cluster; by default that of the world. */
  kubeconfig?: string
}

/**
 * Starts another replica on the database and the cluster of a world, with the API, a worker or
 * both. It stops after the file at the latest.
 */
export async function anotherReplica(
  world: World,
  {
    worker = false,
    api = true,
    kubeconfig = join(world.config.data.dir, 'sandbox', 'kubeconfig'),
  }: ReplicaOptions = {},
): Promise<Replica> {
  const dataDir = mkdtempSync(join(tmpdir(), 'berth-replica-'))
  // All replicas share one secret.
  const secret = readFileSync(join(world.config.data.dir, 'secret'), 'utf8')
  const port = String(await freePort())
  const env = {
    BERTH_DATABASE_URL: world.database.url,
    BERTH_DATA_DIR: dataDir,
    BERTH_SECRET: secret,
    BERTH_PORT: port,
  }
  const config = loadConfig({ cwd: dataDir, env })
  Object.assign(config, {
    api: world.config.api,
    platform: world.config.platform,
    network: world.config.network,
  })
  config.security.metricsToken = world.config.security.metricsToken
  config.cluster = {
    ...config.cluster,
    kind: 'kubeconfig',
    kubeconfig,
  }
  const logged: string[] = []
  const log = createLog('debug', { write: (line) => logged.push(line) })
  const stop = createStop({ log, clock: systemClock })
  const close = async (): Promise<void> => {
    await stop.now('the test is over')
    rmSync(dataDir, { recursive: true, force: true })
  }
  closeAfterFile(close)
  config.server.workerPort = 0
  const parts = { api, worker, sandbox: null }
  const { url } = await startBerth({
    config,
    clock: systemClock,
    log,
    stop,
    parts,
    progress: { step: (_what, task) => task() },
  })
  return { url, logged, stop: close }
}
