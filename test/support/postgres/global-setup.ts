import { existsSync, readdirSync, readFileSync, statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../server/src/engine/postgres/embedded.ts'
import { cacheCluster, copyCachedCluster } from './cached-cluster.ts'
import { databaseUrl, runSql, templateName } from './server.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresSocketDir: string
  }
}

interface SharedCluster {
  socketDir: string
  users: number
  stop: () => Promise<void>
}

const prefix = 'berth-test-'
const memory = '/dev/shm'
// A run needs a few hundred megabytes for its databases and up to 512 MB for the write-ahead log.
const neededBytes = 2 * 1024 ** 3
const globals: typeof globalThis & { berthTestCluster?: Promise<SharedCluster> } = globalThis

/** Runs for each project of a run. All share one cluster, and the last project stops it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await (globals.berthTestCluster ??= startShared())
  cluster.users += 1
  project.provide('postgresSocketDir', cluster.socketDir)
  return async () => {
    cluster.users -= 1
    if (cluster.users > 0) return
    delete globals.berthTestCluster
    await cluster.stop()
  }
}

async function startShared(): Promise<SharedCluster> {
  await sweepAbandoned()
  const folder = await mkdtemp(join(clusterParent(), `${prefix}${process.pid}-`))
  const dataDir = join(folder, 'pg')
  if (!copyCachedCluster(dataDir)) await makeCluster(dataDir)
  const postgres = await startPostgres(dataDir)
  const stop = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { socketDir: postgres.socketDir, users: 0, stop }
}

/**
 * Returns the folder for the cluster. A database has some hundred files. A file system in memory
 * copies them in a tenth of the processor time.
 */
function clusterParent(): string {
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= neededBytes ? memory : tmpdir()
}

/** Creates a cluster with the migrated template, and caches a copy for later runs. */
async function makeCluster(dataDir: string): Promise<void> {
  const postgres = await startPostgres(dataDir)
  await runSql(postgres.socketDir, 'postgres', `create database ${templateName}`)
  // The migrations load the ORM, which a run with a cached cluster does not need.
  const { prepareTemplate } = await import('./template.ts')
  await prepareTemplate(databaseUrl(postgres.socketDir, templateName))
  await postgres.stop()
  cacheCluster(dataDir)
}

function startPostgres(dataDir: string): Promise<EmbeddedPostgres> {
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
  }
  return startEmbeddedPostgres({ dataDir, log: createLog('silent'), clock: systemClock, settings })
}

/** Removes PostgreSQL clusters that killed runs have left behind. */
async function sweepAbandoned(): Promise<void> {
  const isAbandoned = (name: string): boolean =>
    name.startsWith(prefix) && !isAlive(Number(name.split('-')[2]))
  const abandoned = [tmpdir(), memory]
    .filter((parent) => existsSync(parent))
    .flatMap((parent) =>
      readdirSync(parent)
        .filter(isAbandoned)
        .map((name) => join(parent, name)),
    )
  for (const folder of abandoned) {
    try {
      process.kill(
        Number.parseInt(readFileSync(join(folder, 'pg', 'postmaster.pid'), 'utf8'), 10),
        'SIGQUIT',
      )
    } catch {
      // No pid file or no such process: there is nothing to stop.
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
