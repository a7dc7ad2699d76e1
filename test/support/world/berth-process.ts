import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer } from '../builds/server-build.ts'
import { Wire, freePort } from '../clients/http-client.ts'
import { waitFor } from '../wait-for.ts'
import { rootPassword } from './world.ts'

/** A built Berth, as `npm start` runs it: one process with its own PostgreSQL and sandbox. */
export interface BerthProcess {
  readonly wire: Wire
  readonly dataDir: string
  /** Starts or restarts the process and waits until it is ready. Returns the duration in ms. */
  start(): Promise<number>
  kill(): Promise<void>
  killPostgres(): Promise<void>
  /** Sends SIGTERM. Resolves with the exit code and the duration. */
  terminate(): Promise<{ code: number | null; tookMs: number }>
  /** The newest output of the process, for failure messages. */
  output(): string
  remove(): Promise<void>
}

/** Prepares a Berth process. The test starts it and kills it. */
export async function aBerthProcess(): Promise<BerthProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-built-'))
  const programs = buildServer(folder)
  const dataDir = join(folder, 'data')
  const port = await freePort()
  const wire = new Wire(() => `http://127.0.0.1:${port}`)
  let child: ChildProcess | null = null
  let exited: Promise<number | null> = Promise.resolve(null)
  let written = ''

  const start = async (): Promise<number> => {
    const began = performance.now()
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      BERTH_DATA_DIR: dataDir,
      BERTH_PORT: String(port),
      BERTH_ROOT_PASSWORD: rootPassword,
    }
    const started = spawn(process.execPath, [join(programs, 'start.js')], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: Buffer) => (written = (written + chunk.toString()).slice(-20_000)))
    exited = new Promise((done) => started.once('exit', (code) => done(code)))
    const isReady = async (): Promise<boolean> => {
      if (started.exitCode !== null) throw new Error(`Berth did not start: ${written}`)
      return (await wire.send('GET', '/readyz').catch(() => null))?.status === 200
    }
    await waitFor(isReady, { timeoutMs: 40_000, everyMs: 25, what: 'Berth to be ready' })
    return performance.now() - began
  }
  const kill = async (): Promise<void> => {
    child?.kill('SIGKILL')
    await exited
  }
  return {
    wire,
    dataDir,
    start,
    kill,
    output: () => written,
    killPostgres: () => killPostmaster(join(dataDir, 'postgres', 'postmaster.pid')),
    async terminate() {
      const began = performance.now()
      child?.kill('SIGTERM')
      return { code: await exited, tookMs: performance.now() - began }
    },
    async remove() {
      wire.close()
      child?.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Kills PostgreSQL. After an earlier kill it may be restarting and have no PID file yet. */
async function killPostmaster(pidFile: string): Promise<void> {
  await waitFor(() => existsSync(pidFile), {
    timeoutMs: 30_000,
    everyMs: 5,
    what: 'PostgreSQL to be there',
  })
  // The first line of the file is the PID of the postmaster.
  process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL')
}
