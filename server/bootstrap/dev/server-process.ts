import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { eachLine, say, seconds, errorIn } from './screen.ts'

export interface ServerProcess {
  /** Ends the running server, if there is one, and starts the files of the newest build. */
  restart(builtSinceMs: number): Promise<void>
  stop(): Promise<void>
}

interface ServerParts {
  entry: string
  args: readonly string[]
  nodeFlags: readonly string[]
  env: NodeJS.ProcessEnv
  logFile: string
  /**
   * Called when requests can be answered, and when they must wait. The server ends after the latter
   * call resolves.
   */
  onReady(isReady: boolean): Promise<void>
}

/** A restart closes connections gracefully; a server that hangs is killed after this time. */
const stopGraceMs = 3_000

/** Runs the server of `npm run dev` as a child process, which is replaced after each build. */
export function serverProcess(parts: ServerParts): ServerProcess {
  const log = createWriteStream(parts.logFile, { flags: 'a' })
  let child: ChildProcess | null = null
  let turn: Promise<void> = Promise.resolve()
  let newest = 0
  let isStopping = false

  const replace = async (build: number, sinceMs: number): Promise<void> => {
    // A newer build replaces one that is still waiting for its turn.
    if (build !== newest || isStopping) return
    await parts.onReady(false)
    if (child) await ended(child)
    const started = launch(parts, log)
    child = started
    if (!(await readyOrGone(started)))
      return say('server', 'does not start; it starts again after the next change')
    say('server', `ready after ${seconds(sinceMs)}`)
    await parts.onReady(true)
  }
  return {
    restart(sinceMs) {
      const build = ++newest
      return (turn = turn.then(() => replace(build, sinceMs)))
    },
    async stop() {
      isStopping = true
      if (child) await ended(child)
      await turn
    },
  }
}

function launch({ entry, args, nodeFlags, env }: ServerParts, log: NodeJS.WritableStream) {
  const child = spawn(process.execPath, ['--enable-source-maps', ...nodeFlags, entry, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  eachLine(child.stdout, (line) => {
    log.write(`${line}\n`)
    const error = errorIn(line)
    if (error) say('server', error)
  })
  eachLine(child.stderr, (line) => {
    // The steps of the start are summarized in one line when all are done.
    if (!/… [\d.]+ s$/.test(line)) say('server', line)
  })
  return child
}

const readyOrGone = (child: ChildProcess): Promise<boolean> =>
  new Promise((resolve) => {
    child.once('message', () => resolve(true))
    child.once('exit', () => resolve(false))
    child.once('error', () => resolve(false))
  })

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), stopGraceMs)
  await gone
  clearTimeout(late)
}
