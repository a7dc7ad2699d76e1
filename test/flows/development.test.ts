import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { waitFor } from '../support/wait-for.ts'
import { freePort } from '../support/clients/http-client.ts'

/*
 * Runs `npm run dev` in its own data folder. The test touches files without changing them: the
 * watchers react to the modification time, and the worktree stays unchanged.
 */
const root = join(import.meta.dirname, '..', '..')
const dataDir = mkdtempSync(join(tmpdir(), 'berth-development-'))
let development: ChildProcess
let screen = ''
let url = ''

const touch = (path: string): void => utimesSync(join(root, path), new Date(), new Date())
const count = (text: string): number => screen.split(text).length - 1
const hasEnded = (): boolean => development.exitCode !== null || development.signalCode !== null

beforeAll(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  development = spawn(process.execPath, [join(root, 'server', 'bootstrap', 'dev.js')], {
    cwd: dataDir,
    env: { ...process.env, BERTH_DATA_DIR: dataDir, BERTH_PORT: String(port), BERTH_CONFIG: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [development.stdout, development.stderr])
    stream?.on('data', (chunk: Buffer) => (screen += chunk.toString()))
  const isReady = (): boolean => screen.includes(url) || hasEnded()
  await waitFor(isReady, { timeoutMs: 100_000, what: 'the development server' })
  if (hasEnded()) throw new Error(screen)
})

afterAll(async () => {
  development.kill('SIGINT')
  await waitFor(hasEnded, { what: 'the development server to end' })
  rmSync(dataDir, { recursive: true, force: true })
})

test('the development page comes from Vite and its requests reach the server', async () => {
  const page = await fetch(`${url}/vms`, { headers: { accept: 'text/html' } })
  expect(await page.text()).toContain('/@vite/client')
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
})

test('a saved server file restarts the server and fails no request', async () => {
  const before = count('server    ready')
  touch('server/src/compose.ts')
  const answers: number[] = []
  const restarted = async (): Promise<boolean> => {
    answers.push((await fetch(`${url}/readyz`)).status)
    return count('server    ready') > before
  }
  await waitFor(restarted, { timeoutMs: 60_000, everyMs: 50, what: 'the server to restart' })
  expect(new Set(answers)).toEqual(new Set([200]))
})

test('a saved file of the console replaces its module in the open page', async () => {
  const client = await (await fetch(`${url}/@vite/client`)).text()
  const token = /wsToken = "([^"]+)"/.exec(client)?.[1] ?? ''
  const socket = new WebSocket(`${url.replace('http', 'ws')}/?token=${token}`, 'vite-hmr')
  const updates: string[] = []
  socket.on('message', (text: Buffer) => updates.push(text.toString()))
  await new Promise((resolve) => socket.once('open', resolve))
  // Vite watches a module only after a page has requested it.
  await fetch(`${url}/src/ui/theme.css`, { headers: { accept: 'text/css' } })
  touch('web/src/ui/theme.css')
  await waitFor(() => updates.some((text) => text.includes('src/ui/theme.css')), {
    timeoutMs: 30_000,
    what: 'an update of the style sheet',
  })
  socket.close()
})
