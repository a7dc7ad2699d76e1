import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { aDatabase } from '../postgres/database.ts'
import { waitFor } from '../wait-for.ts'

export const rootPassword = 'root of the whole harbour'

/** Berth as people run it: the built program, a process of its own, on a database of its own. */
export interface BuiltBerth {
  readonly url: string
  /** Of its database, for what a test cannot wait for. */
  sql(statement: string): Promise<Record<string, unknown>[]>
  /** Ends it without a word. */
  kill(): Promise<void>
  /** Starts it again at the same address. */
  start(): Promise<void>
}

const program = fileURLToPath(new URL('../../../server/dist/start.js', import.meta.url))
const startMs = 30_000

/** Started before the first test of the file, gone after the last. `yaml` is its configuration. */
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
  const { BERTH_TEST_LINES: _, ...around } = process.env
  const child = spawn(process.execPath, [program], {
    cwd,
    env: { ...around, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  let over = false
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const gone = new Promise<void>((done) =>
    child.once('exit', () => done((over = true) && undefined)),
  )
  const ready = async () => {
    const url = () => /Berth is ready: (\S+)/.exec(said)?.[1] ?? ''
    await waitFor(() => over || url() !== '', {
      timeoutMs: startMs,
      everyMs: 20,
      what: 'Berth to say that it is ready',
    })
    if (over) throw new Error(`Berth did not start: ${said}`)
    return url()
  }
  return { child, ready: ready(), gone }
}
