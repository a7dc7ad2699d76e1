import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { aDatabase } from '../postgres/database.ts'
import { type KubeClient, kubeClientOf } from '../sandbox/sandbox.ts'
import { waitFor } from '../wait-for.ts'

export const rootPassword = 'root of the whole harbour'

/** The built program of Berth in a process of its own, with a database of its own. */
export interface BuiltBerth {
  readonly url: string
  /** Runs a statement on its database, to set up states that a test cannot wait for. */
  sql(statement: string): Promise<Record<string, unknown>[]>
  /** A client of its sandbox, to change objects as another client would. */
  cluster(): Promise<KubeClient>
  /** Kills the process with SIGKILL. */
  kill(): Promise<void>
  /** Starts the process again at the same address. */
  start(): Promise<void>
}

const program = fileURLToPath(new URL('../../../server/dist/start.js', import.meta.url))
const startMs = 30_000

/** Starts the program. It ends after the last test of the file. `yaml` is its configuration. */
export async function aBuiltBerth({ yaml = '' } = {}): Promise<BuiltBerth> {
  const database = await aDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'berth-e2e-'))
  if (yaml) writeFileSync(join(folder, 'berth.yaml'), yaml)
  const settings = {
    BERTH_DATABASE_URL: database.url,
    BERTH_DATA_DIR: folder,
    BERTH_ROOT_PASSWORD: rootPassword,
  }
  let running: Running | null = null
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    running?.child.kill(signal)
    await running?.gone
    running = null
  }
  const start = async (port = '0') => {
    running = startProgram(folder, { ...settings, BERTH_PORT: port })
    return await running.ready
  }
  afterAll(async () => {
    await kill('SIGTERM')
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  const url = await start()
  return {
    url,
    sql: database.sql,
    cluster: () => kubeClientOf(join(folder, 'sandbox', 'kubeconfig')),
    kill: () => kill(),
    start: async () => void (await start(new URL(url).port)),
  }
}

interface Running {
  child: ChildProcess
  ready: Promise<string>
  gone: Promise<void>
}

function startProgram(cwd: string, settings: Record<string, string>): Running {
  const { BERTH_TEST_LINES: _, ...inherited } = process.env
  const child = spawn(process.execPath, [program], {
    cwd,
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  let over = false
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const gone = new Promise<void>((done) =>
    child.once('exit', () => done((over = true) && undefined)),
  )
  const ready = async () => {
    const url = () => /Berth is ready: (\S+)/.exec(output)?.[1] ?? ''
    await waitFor(() => over || url() !== '', {
      timeoutMs: startMs,
      everyMs: 20,
      what: 'Berth to report that it is ready',
    })
    if (over) throw new Error(`Berth did not start: ${output}`)
    return url()
  }
  return { child, ready: ready(), gone }
}
