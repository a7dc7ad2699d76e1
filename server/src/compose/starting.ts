import manifest from '../../../package.json' with { type: 'json' }
import { type Feed } from '../engine/changes/feed.ts'
import { type Config } from '../runtime/config/config.ts'
import { type Log } from '../runtime/log.ts'
import { type Progress } from '../runtime/progress.ts'
import { type Stop } from '../runtime/stop.ts'
import { type openWorkerPool } from '../engine/database/database.ts'

/** The version of this build. It is written in the root's package.json and nowhere else. */
export const { version } = manifest

export interface Starting {
  config: Config
  log: Log
  stop: Stop
  progress: Progress
  parts: { api: boolean; worker: boolean; sandbox: boolean }
}

/** How the platform's own workers hear and see across tenants. */
export interface Ears {
  feed: Feed
  pool: ReturnType<typeof openWorkerPool>
}
