import { startBerth } from '../compose.ts'
import { runProgram } from './run.ts'

await runProgram({
  ownsDataDir: () => false,
  needsDatabaseUrl: true,
  async start({ say, ...context }) {
    const parts = { api: false, worker: true, sandbox: false }
    await startBerth({ ...context, parts })
    if (!context.stop.signal.aborted) say("Berth's worker is ready\n")
  },
})
