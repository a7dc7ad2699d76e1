import { startBerth } from '../compose.ts'
import { Secret } from '../runtime/config/secret.ts'
import { runProgram } from './run.ts'

/*
 * The server of `npm run dev`. Its parent (server/bootstrap/dev) runs PostgreSQL, the sandbox and
 * the console, which outlive a restart of this process. The arguments contain their addresses.
 */
const [publicUrl = '', databaseUrl = '', kubeconfig = ''] = process.argv.slice(2)

// The channel closes when the parent ends, even when it crashes.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

await runProgram({
  ownsDataDir: () => false,
  async start({ config, ...context }) {
    // The kind of the cluster remains `sandbox`, so that all defaults equal those of `npm start`.
    if (kubeconfig) config.cluster.kubeconfig = kubeconfig
    if (databaseUrl) config.database.url = new Secret(databaseUrl)
    config.server.publicUrl = publicUrl
    const parts = { api: true, worker: true, sandbox: null }
    await startBerth({ ...context, config, parts })
    process.send?.('ready')
  },
})
