import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InstanceLockedError, lockInstance } from './instance-lock.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'berth-lock-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

async function anotherBerth() {
  const program = `const { lockInstance } = await import(${JSON.stringify(new URL('instance-lock.ts', import.meta.url).href)})
    lockInstance(${JSON.stringify(dataDir)}); console.log('locked'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data', { signal: AbortSignal.timeout(10_000) })
  const end = async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  return { pid: child.pid, end }
}

test('a second Berth on the same folder is refused with the pid of the first, until the first is killed', async () => {
  const other = await anotherBerth()
  expect(() => lockInstance(dataDir)).toThrow(
    new InstanceLockedError(`Another Berth (process ${other.pid}) already runs on ${dataDir}`),
  )
  await other.end()
  lockInstance(dataDir).release()
})

test('a lock whose pid now belongs to another program is ignored', async () => {
  const other = await anotherBerth()
  const lock = JSON.parse(readFileSync(join(dataDir, 'lock'), 'utf8')) as {
    pid: number
    startedAt: string
  }
  writeFileSync(join(dataDir, 'lock'), JSON.stringify({ ...lock, startedAt: 'another boot 1' }))
  lockInstance(dataDir).release()
  await other.end()
})

test.for(['', '{', '{"pid":"x"}'])('an unreadable lock (%j) is ignored', (content) => {
  writeFileSync(join(dataDir, 'lock'), content)
  lockInstance(dataDir).release()
  expect(existsSync(join(dataDir, 'lock'))).toBe(false)
})
