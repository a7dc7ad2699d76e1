import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { eachLine, say } from './screen.ts'

export interface ConsoleProcess {
  readonly exited: Promise<void>
  /**
   * Makes requests wait in the console's process until the server answers again. Resolves when no
   * request is on its way to the server, so it may end.
   */
  serverIsReady(isReady: boolean): Promise<void>
  stop(): Promise<void>
}

interface ConsoleParts {
  root: string
  host: string
  port: number
  /** The port for requests that are not for a page. */
  serverPort: number
}

/** Starts Vite in its own process: it compiles pages while this process builds the server. */
export async function startConsole(parts: ConsoleParts): Promise<ConsoleProcess> {
  const { root, host, port, serverPort } = parts
  const args = [host, String(port), `http://127.0.0.1:${serverPort}`]
  const child = spawn(process.execPath, [join(root, 'web', 'dev-server.ts'), ...args], {
    cwd: join(root, 'web'),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr])
    eachLine(stream, (line) => say('console', line.trim()))
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const isUp = new Promise<void>((resolve) => child.once('message', () => resolve()))
  await Promise.race([isUp, exited])
  return {
    exited,
    async serverIsReady(isReady) {
      if (!child.connected) return
      child.send({ isReady })
      if (isReady) return
      await Promise.race([new Promise((resolve) => child.once('message', resolve)), exited])
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
