import { openStore } from '../compose/database.ts'
import { resetRootPassword } from '../store/identity/seed-identity.ts'
import { runProgram } from './run.ts'

/**
 * Sets a new password for root (BERTH_ROOT_PASSWORD or a random one) and ends its sessions.
 * Operators run it on the server when the password is lost.
 */
await runProgram({
  ownsDataDir: (config) => config.database.url === null,
  async start(context) {
    const { store } = await openStore(context)
    const { password } = await resetRootPassword(store, context.config.security.rootPassword)
    context.say(`\nLog in as  root\nPassword   ${password.reveal()}\n`)
    await context.stop.now('the command reset-root-password has ended')
  },
})
