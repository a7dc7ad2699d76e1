import { startBerth } from '../compose.ts'
import { runProgram } from './run.ts'

await runProgram({
  ownsDataDir: () => false,
  needsDatabaseUrl: true,
  async start({ say, ...context }) {
    const parts = { api: true, worker: false, sandbox: false }
    const { url } = await startBerth({ ...context, parts })
    if (!context.stop.signal.aborted) say(`Berth's API is ready: ${url}\n`)
  },
})
