import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../support/clients/http-client.ts'
import { waitFor } from '../../support/wait-for.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'berth-npm-start-'))
const dataDir = join(folder, 'data')
let npm: ChildProcess
let url = ''
let screen = ''

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const config = join(folder, 'berth.yaml')
  writeFileSync(config, 'server: { drainSeconds: 10 }\n')
  npm = spawn('npm', ['start'], {
    cwd: root,
    env: {
      ...process.env,
      BERTH_CONFIG: config,
      BERTH_DATA_DIR: dataDir,
      BERTH_PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [npm.stdout, npm.stderr])
    stream?.on('data', (chunk: Buffer) => (screen += chunk.toString()))
  await waitFor(async () => (await answerOf('/readyz')) === '200 ready\n', {
    timeoutMs: 60_000,
    everyMs: 200,
    what: () => `Berth to be ready: ${screen}`,
  })
})

afterAll(async () => {
  npm.kill('SIGTERM')
  await waitFor(hasEnded, { timeoutMs: 30_000, what: 'npm to end' })
  rmSync(folder, { recursive: true, force: true })
})

const hasEnded = (): boolean => npm.exitCode !== null || npm.signalCode !== null

/** Returns status and text, or `refused` when nothing listens. */
async function answerOf(path: string): Promise<string> {
  const answer = await fetch(`${url}${path}`).catch(() => null)
  return answer ? `${answer.status} ${await answer.text()}` : 'refused'
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('SIGTERM to npm start fails the readiness check first, then closes the listener, and ends every process', async () => {
  const [postgres] = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  const lock = join(dataDir, 'lock')
  expect(existsSync(lock)).toBe(true)
  npm.kill('SIGTERM')
  await waitFor(async () => (await answerOf('/readyz')) === '503 not ready: stopping\n', {
    what: 'the readiness check to fail',
  })
  expect(await answerOf('/api/v1/openapi.json')).toMatch(/^200 /)
  expect(hasEnded()).toBe(false)
  await waitFor(async () => (await answerOf('/readyz')) === 'refused', {
    timeoutMs: 20_000,
    what: 'the listener to be closed',
  })
  await waitFor(hasEnded, { timeoutMs: 20_000, what: 'npm to end' })
  expect([npm.exitCode, npm.signalCode]).toEqual([0, null])
  expect(isRunning(Number(postgres))).toBe(false)
  expect(existsSync(lock)).toBe(false)
})
