import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../server/src/engine/postgres/embedded.ts'
import { aDatabase } from '../../support/postgres/database.ts'
import { runSql } from '../../support/postgres/server.ts'
import { waitFor } from '../../support/wait-for.ts'

const isRoot = process.getuid?.() === 0
const cleanups: (() => unknown)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

test('each test file gets a database of its own', async () => {
  const [one, two] = await Promise.all([aDatabase(), aDatabase()])
  await one.sql('create table mine (id int)')
  expect(await two.sql(`select to_regclass('mine') as it`)).toEqual([{ it: null }])
})

test('a restarted server has its data, and a stopped server leaves no process', async () => {
  const dataDir = join(aFolder(), 'pg')
  const first = await start(dataDir)
  await write(first, 'kept')
  await first.stop()
  await waitFor(() => !isAlive(first.pid), { what: 'the process to be gone' })
  expect(await read(await start(dataDir))).toEqual(['kept'])
})

test('a postmaster that dies is started again with every acknowledged write', async () => {
  const postgres = await start(join(aFolder(), 'pg'))
  await write(postgres, 'acknowledged')
  const killed = postgres.pid
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => postgres.pid, { timeout: 15_000 }).not.toBe(killed)
  expect(await read(postgres)).toEqual(['acknowledged'])
})

test('PostgreSQL outlives a killed Berth and is adopted by the next one', async () => {
  const dataDir = join(aFolder(), 'pg')
  const berth = aBerthProcess(dataDir)
  await berth.reaches('ready')
  berth.kill()
  const pid = recordedPid(dataDir)
  const postgres = await start(dataDir)
  expect(postgres.pid).toBe(pid)
  await write(postgres, 'adopted')
  await postgres.stop()
  // The server is no child of this process, so the system decides when its last remains are
  // collected.
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
})

test('a start after Berth and PostgreSQL were killed needs no repair', async () => {
  const dataDir = join(aFolder(), 'pg')
  const berth = aBerthProcess(dataDir)
  await berth.reaches('ready')
  await write({ socketDir: dataDir }, 'before')
  berth.kill()
  process.kill(recordedPid(dataDir), 'SIGKILL')
  expect(await read(await start(dataDir))).toEqual(['before'])
})

test.for(['creating', 'starting'])(
  'a first start that is killed while %s leaves nothing half-made',
  async (step) => {
    const dataDir = join(aFolder(), 'pg')
    const berth = aBerthProcess(dataDir)
    await berth.reaches(step)
    berth.kill()
    const postgres = await start(dataDir)
    await write(postgres, 'works')
    expect(await read(postgres)).toEqual(['works'])
  },
)

test('a leftover pid file with the pid of another process does not prevent the start', async () => {
  const dataDir = join(aFolder(), 'pg')
  await (await start(dataDir)).stop()
  // A process of its own is used, because PostgreSQL ignores the pid of its own parent.
  const otherProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  cleanups.push(() => otherProcess.kill('SIGKILL'))
  const lines = [
    otherProcess.pid,
    dataDir,
    1_700_000_000,
    5432,
    dataDir,
    '',
    '  1234567     99999',
    'ready   ',
  ]
  writeFileSync(join(dataDir, 'postmaster.pid'), `${lines.join('\n')}\n`, { mode: 0o600 })
  await write(await start(dataDir), 'works')
})

test('a server starts twice in a folder whose path is too long for a socket', async () => {
  const dataDir = join(aFolder(), 'long'.repeat(30), 'pg')
  const first = await start(dataDir)
  expect(first.socketDir).not.toBe(dataDir)
  await first.stop()
  const second = await start(dataDir)
  expect(second.socketDir).toBe(first.socketDir)
  cleanups.push(() => rmSync(second.socketDir, { recursive: true, force: true }))
})

test('a folder with foreign files is refused by name', async () => {
  const dataDir = aFolder()
  writeFileSync(join(dataDir, 'letter.txt'), 'mine')
  await expect(start(dataDir)).rejects.toMatchObject({ reason: 'not_a_cluster' })
})

test.runIf(isRoot)(
  'a server that is started as root runs without root rights and keeps its files',
  async () => {
    const dataDir = join(aFolder(), 'pg')
    const postgres = await start(dataDir)
    const inside = readFileSync(`/proc/${postgres.pid}/uid_map`, 'utf8').trim().split(/\s+/)
    expect(inside).toEqual(['1000', '0', '1'])
  },
)

test.runIf(isRoot && process.platform === 'linux')('a full disk is reported as such', async () => {
  const folder = aFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', folder])
  cleanups.push(() => execFileSync('umount', ['-l', folder]))
  await expect(start(join(folder, 'pg'))).rejects.toMatchObject({ reason: 'no_space' })
})

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `berth-test-${process.pid}-`))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: createLog('silent'),
    clock: systemClock,
  })
  cleanups.push(() => postgres.stop())
  return postgres
}

/** Starts another process that runs PostgreSQL like Berth, to be killed. */
function aBerthProcess(dataDir: string) {
  const modules = ['engine/postgres/embedded.ts', 'runtime/log.ts', 'runtime/clock.ts'].map(
    (path) => new URL(`../../../server/src/${path}`, import.meta.url).href,
  )
  const program = `
    const [{ startEmbeddedPostgres }, { createLog }, { systemClock: clock }] = await Promise.all(${JSON.stringify(modules)}.map((m) => import(m)))
    await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: createLog('silent'), clock, onProgress: (step) => console.log(step) })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  cleanups.push(() => child.kill('SIGKILL'))
  return { reaches: (step: string) => printed(child, step), kill: () => child.kill('SIGKILL') }
}

async function printed(child: ChildProcess, expected: string): Promise<void> {
  if (!child.stdout) throw new Error('no output to read')
  const deadline = AbortSignal.timeout(20_000)
  for await (const line of createInterface({ input: child.stdout, signal: deadline }))
    if (line === expected) return
  throw new Error(`the process ended without reaching "${expected}"`)
}

async function write(postgres: { socketDir: string }, text: string): Promise<void> {
  await runSql(postgres.socketDir, 'berth', `create table if not exists note (text text)`)
  await runSql(postgres.socketDir, 'berth', `insert into note values ('${text}')`)
}

const read = async (postgres: { socketDir: string }) =>
  (await runSql(postgres.socketDir, 'berth', 'select text from note')).map((row) => row['text'])

const recordedPid = (dataDir: string): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'), 10)

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
