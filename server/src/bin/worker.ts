import { startBerth } from '../compose.ts'
import { runProgram } from './run.ts'

/*
 * Runs Berth's reconcilers without the API, for installations with several replicas. The API then
 * runs as `api.ts`; both need the same external database.
 */

await runProgram({
  ownsDataDir: () => false,
  needsDatabaseUrl: true,
  async start({ say, ...context }) {
    const parts = { api: false, worker: true, sandbox: null }
    const { url } = await startBerth({ ...context, parts })
    if (!context.stop.signal.aborted) say(`Berth's worker is ready; its health: ${url}/readyz\n`)
  },
})
