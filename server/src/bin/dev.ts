import { startBerth } from '../compose.ts'
import { Secret } from '../runtime/config/secret.ts'
import { runProgram } from './run.ts'

/*
 * The server of `npm run dev`. Its parent (server/bootstrap/dev) runs PostgreSQL, the sandbox and
 * the console, which outlive a restart of this process, and says where they are in the arguments.
 */
const [publicUrl = '', databaseUrl = '', kubeconfig = ''] = process.argv.slice(2)

// The channel closes when the parent ends, however it ends.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))

await runProgram({
  ownsDataDir: () => false,
  async start({ config, ...around }) {
    // The cluster stays of the kind `sandbox`, so that every default is the one of `npm start`.
    if (kubeconfig) config.cluster.kubeconfig = kubeconfig
    if (databaseUrl) config.database.url = new Secret(databaseUrl)
    config.server.publicUrl = publicUrl
    const parts = { api: true, worker: true, sandbox: false }
    await startBerth({ ...around, config, parts })
    process.send?.('ready')
  },
})
