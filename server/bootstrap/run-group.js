import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'

/*
 * Runs a command with all its descendants as one process group, and passes signals on to all of
 * them. npm, pnpm and the shells between them end on SIGTERM without passing it on, so Berth would
 * go on without them. npm starts this program by `exec` and waits for its end.
 */
const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: 'inherit', detached: true })
let isSignalled = false

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(name, () => {
    isSignalled = true
    sendToGroup(name)
  })
child.once('error', (error) => {
  process.stderr.write(`${command} cannot be started: ${error.message}\n`)
  process.exit(1)
})
child.once('exit', async (code) => {
  // The command may end before the programs that it started.
  while (sendToGroup(0)) await pause(50)
  process.exit(isSignalled ? 0 : (code ?? 1))
})

/** Returns false when no process of the group is left. */
function sendToGroup(name) {
  try {
    return process.kill(-child.pid, name)
  } catch {
    return false
  }
}
