import { startBerth } from '../compose.ts'
import type { Secret } from '../runtime/config/secret.ts'
import { installationPaths } from '../runtime/paths.ts'
import { runProgram } from './run.ts'

/** Runs everything in one process: by default also an embedded PostgreSQL and the sandbox. */
await runProgram({
  ownsDataDir: () => true,
  async start({ say, config, ...context }) {
    const sandbox = config.cluster.kind === 'sandbox' ? installationPaths.sandboxEntry : null
    const parts = { api: true, worker: true, sandbox }
    const { url, firstRootPassword } = await startBerth({ ...context, config, parts })
    if (!context.stop.signal.aborted) say(welcome(url, firstRootPassword))
  },
})

function welcome(url: string, firstRootPassword: Secret | null): string {
  const lines = ['', `Berth is ready: ${url}`]
  if (firstRootPassword)
    lines.push(
      '',
      'Log in as  root',
      `Password   ${firstRootPassword.reveal()}`,
      'It is shown only now; change it after the first login.',
    )
  return `${lines.join('\n')}\n\nCtrl-C stops everything.\n`
}
