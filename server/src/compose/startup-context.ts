import manifest from '../../../package.json' with { type: 'json' }
import { type ChangeFeed } from '../engine/changes/feed.ts'
import { type Clock } from '../runtime/clock.ts'
import { type Config } from '../runtime/config/config.ts'
import { type Log } from '../runtime/log.ts'
import { type Progress } from '../runtime/progress.ts'
import { type Stop } from '../runtime/stop.ts'
import { type openWorkerPool } from '../engine/database/database.ts'

/** The version of this build. Its only source is the root's package.json. */
export const { version } = manifest

export interface StartupContext {
  config: Config
  clock: Clock
  log: Log
  stop: Stop
  progress: Progress
  /** The parts that this process runs. `sandbox` is the path of its program; null runs none. */
  parts: { api: boolean; worker: boolean; sandbox: string | null }
}

/**
 * The change feed and the database pool of the platform's own workers, which work across tenants.
 */
export interface WorkerFeed {
  feed: ChangeFeed
  pool: ReturnType<typeof openWorkerPool>
}
