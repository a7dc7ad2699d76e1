import { openStore } from '../compose/database.ts'
import { resetRootPassword } from '../store/identity/seed-identity.ts'
import { runProgram } from './run.ts'

/**
 * For an operator at the machine who has lost it: gives root a new password (BERTH_ROOT_PASSWORD,
 * else a random one) and ends its sessions.
 */
await runProgram({
  ownsDataDir: (config) => config.database.url === null,
  async start(around) {
    const { store } = await openStore(around)
    const { password } = await resetRootPassword(store, around.config.security.rootPassword)
    around.say(`\nLog in as  root\nPassword   ${password.reveal()}\n`)
    await around.stop.now('done')
  },
})
