import { startBerth } from '../compose.ts'
import type { Secret } from '../runtime/config/secret.ts'
import { runProgram } from './run.ts'

/** Everything in one process; on one machine, PostgreSQL and the sandbox come along. */
await runProgram({
  ownsDataDir: () => true,
  async start({ say, config, ...around }) {
    const parts = { api: true, worker: true, sandbox: config.cluster.kind === 'sandbox' }
    const { url, firstRootPassword } = await startBerth({ ...around, config, parts })
    if (!around.stop.signal.aborted) say(welcome(url, firstRootPassword))
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
