import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { buildOf, inSandbox } from '../../rolldown.config.ts'
import { type SandboxProcess, startSandboxProcess } from '../../src/engine/kube/embedded-sandbox.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { type Config, loadConfig } from '../../src/runtime/config/config.ts'
import { lockInstance } from '../../src/runtime/instance-lock.ts'
import { createLog } from '../../src/runtime/log.ts'
import { startEmbeddedPostgres } from '../../src/engine/postgres/embedded.ts'
import { watchBuild, withPrebuiltClient } from './build.ts'
import { startConsole } from './console-process.ts'
import { errorIn, say, seconds } from './screen.ts'
import { serverProcess } from './server-process.ts'

/*
 * `npm run dev`. PostgreSQL and the sandbox run for as long as this process does. Only the server
 * restarts after a saved file, and only when the file compiles. Pages come from Vite, which
 * replaces modules in the open page and passes all other requests on to the server.
 */
const root = join(import.meta.dirname, '..', '..', '..')
const rootPassword = 'berth development'

export async function develop(args: readonly string[]): Promise<void> {
  const startedMs = performance.now()
  const env = { BERTH_DATA_DIR: join(root, '.berth-dev'), ...process.env }
  const closing = closingOnSignals()
  try {
    const config = loadConfig({ cwd: process.cwd(), env })
    const session = await openSession(config, closing)
    await runServer(session, { args, env, startedMs })
  } catch (error) {
    say('berth', error instanceof Error ? error.message : String(error))
    await closing.end(1)
  }
}

interface Closing {
  add(close: () => unknown): void
  /** Closes everything in reverse order and ends this process. */
  end(code: number): Promise<void>
}

function closingOnSignals(): Closing {
  const closers: (() => unknown)[] = []
  let isEnding = false
  const end = async (code: number): Promise<void> => {
    if (isEnding) return
    isEnding = true
    for (let close = closers.pop(); close; close = closers.pop())
      await (async () => close())().catch((error: unknown) => say('berth', String(error)))
    process.exit(code)
  }
  // npm and pnpm send the terminal's Ctrl-C once more; every signal after the first is ignored.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!isEnding) say('berth', 'stops')
      void end(0)
    })
  return { add: (close) => void closers.push(close), end }
}

interface Session {
  config: Config
  closing: Closing
  /** Empty when the configuration names a database of its own. */
  databaseUrl: string
  /** Empty when the configuration names a cluster of its own. */
  kubeconfig: string
  serverPort: number
}

/** Starts the parts that outlive every restart of the server. */
async function openSession(config: Config, closing: Closing): Promise<Session> {
  const lock = lockInstance(config.data.dir)
  closing.add(() => lock.release())
  linkPackages(config.data.dir)
  const [databaseUrl, kubeconfig, serverPort] = await Promise.all([
    config.database.url ? '' : openDatabase(config, closing),
    config.cluster.kind === 'sandbox' ? openSandbox(config, closing) : '',
    freePort(),
  ])
  return { config, closing, databaseUrl, kubeconfig, serverPort }
}

/** Lets the build resolve the packages of the server from its folder. */
function linkPackages(dir: string): void {
  rmSync(join(dir, 'build'), { recursive: true, force: true })
  mkdirSync(join(dir, 'build'), { recursive: true })
  const link = join(dir, 'node_modules')
  if (!existsSync(link)) symlinkSync(join(root, 'server', 'node_modules'), link)
}

const log = createLog('error', { write: (line) => say('berth', errorIn(line) ?? line) })

async function openDatabase(config: Config, closing: Closing): Promise<string> {
  const sinceMs = performance.now()
  const dataDir = join(config.data.dir, 'postgres')
  const postgres = await startEmbeddedPostgres({ dataDir, log, clock: systemClock })
  closing.add(() => postgres.stop())
  say('database', `ready after ${seconds(sinceMs)}`)
  return postgres.connectionUrl
}

/** Resolves when the first build of the sandbox runs; later builds restart it on the same port. */
function openSandbox(config: Config, closing: Closing): Promise<string> {
  const dir = join(config.data.dir, 'build', 'sandbox')
  const input = { sandbox: join(root, 'server', 'sandbox', 'main.ts') }
  let sandbox: SandboxProcess | null = null
  return new Promise((resolve, reject) => {
    const start = async (sinceMs: number): Promise<void> => {
      sandbox = await startSandboxProcess({
        entry: join(dir, 'sandbox.js'),
        folder: join(config.data.dir, 'sandbox'),
        components: config.cluster.with,
        clock: systemClock,
        log,
      })
      closing.add(() => sandbox?.stop())
      say('sandbox', `ready after ${seconds(sinceMs)}`)
      resolve(sandbox.kubeconfig)
    }
    const watcher = watchBuild(buildOf({ input, dir, ...inSandbox }), {
      built(sinceMs) {
        const pid = sandbox?.pid()
        if (!pid) return void start(sinceMs).catch(reject)
        say('sandbox', 'restarts')
        // The supervisor of the sandbox starts the new build on the same port.
        process.kill(pid, 'SIGTERM')
      },
      failed: (message) => say('sandbox', `does not compile; the last build runs on\n${message}`),
    })
    closing.add(() => watcher.close())
  })
}

interface Run {
  args: readonly string[]
  env: NodeJS.ProcessEnv
  startedMs: number
}

async function runServer(session: Session, { args, env, startedMs }: Run): Promise<void> {
  const { config, closing, databaseUrl, kubeconfig, serverPort } = session
  const { host, port } = config.server
  const publicUrl = `http://localhost:${port}`
  const page = await startConsole({ root, host, port, serverPort })
  closing.add(() => page.stop())
  void page.exited.then(() => closing.end(1))
  const dir = join(config.data.dir, 'build', 'server')
  let isFirst = true
  const server = serverProcess({
    entry: join(dir, 'dev.js'),
    args: [publicUrl, databaseUrl, kubeconfig],
    nodeFlags: args.filter((flag) => flag.startsWith('--inspect')),
    env: {
      BERTH_ROOT_PASSWORD: rootPassword,
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
      ...env,
      BERTH_PORT: String(serverPort),
    },
    logFile: join(config.data.dir, 'berth.log'),
    async onReady(isReady) {
      await page.serverIsReady(isReady)
      if (isReady && isFirst) welcome(publicUrl, startedMs)
      if (isReady) isFirst = false
    },
  })
  closing.add(() => server.stop())
  const input = { dev: join(root, 'server', 'src', 'bin', 'dev.ts') }
  const options = await withPrebuiltClient(buildOf({ input, dir }), join(dir, 'kubernetes'))
  const watcher = watchBuild(options, {
    built: (sinceMs) => void server.restart(sinceMs),
    failed: (message) => say('server', `does not compile; the last build runs on\n${message}`),
  })
  closing.add(() => watcher.close())
}

function welcome(url: string, startedMs: number): void {
  say('berth', `ready after ${seconds(startedMs)}: ${url}  (root, "${rootPassword}")`)
  say('berth', 'Ctrl-C stops everything.')
}

const freePort = (): Promise<number> =>
  new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' && address ? address.port : 0))
    })
  })
