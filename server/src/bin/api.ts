import { startBerth } from '../compose.ts'
import { runProgram } from './run.ts'

/*
 * Runs Berth's API without reconcilers, for installations with several replicas. The reconcilers
 * then run as `worker.ts`; both need the same external database.
 */

await runProgram({
  ownsDataDir: () => false,
  needsDatabaseUrl: true,
  async start({ say, ...context }) {
    const parts = { api: true, worker: false, sandbox: null }
    const { url } = await startBerth({ ...context, parts })
    if (!context.stop.signal.aborted) say(`Berth's API is ready: ${url}\n`)
  },
})
