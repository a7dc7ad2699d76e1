import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from './errno.ts'
import { ensureDataDir } from './data-dir.ts'

/*
 * One Berth per data folder. The lock names its holder by pid and by when that process began, so
 * neither a kill -9 nor a pid that was given to another program afterwards leaves anything to
 * repair. It guards against a second start on the same machine; across machines, PostgreSQL and its
 * leases decide.
 */
export interface InstanceLock {
  release(): void
}

export class InstanceLockedError extends Error {
  override readonly name = 'InstanceLockedError'
}

interface Holder {
  pid: number
  began: string
}

export function lockInstance(dataDir: string): InstanceLock {
  ensureDataDir(dataDir)
  const path = join(dataDir, 'lock')
  const mine = JSON.stringify({
    pid: process.pid,
    began: beganAt(process.pid) ?? '',
  } satisfies Holder)
  // Twice is enough unless others start at the very same time, and then one of them has it.
  for (let attempt = 0; attempt < 5; attempt++) {
    if (take(path, mine)) return { release: () => releaseIfMine(path, mine) }
    const found = readText(path)
    const holder = found === null ? null : holderFrom(found)
    if (holder && isHolding(holder))
      throw new InstanceLockedError(
        `Another Berth (process ${holder.pid}) already runs on ${dataDir}`,
      )
    if (found !== null) removeStale(path, found)
  }
  throw new InstanceLockedError(`Another Berth is starting on ${dataDir}`)
}

function take(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, content, { mode: 0o600 })
  try {
    linkSync(draft, path) // whole or not at all, and never over an existing one
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * Moved aside first and looked at again: what was stale a moment ago may have become somebody's
 * fresh lock.
 */
function removeStale(path: string, expected: string): void {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return
  }
  if (readText(aside) !== expected) take(path, readText(aside) ?? '')
  rmSync(aside, { force: true })
}

function releaseIfMine(path: string, mine: string): void {
  if (readText(path) === mine) rmSync(path, { force: true })
}

function isHolding({ pid, began }: Holder): boolean {
  const now = beganAt(pid)
  return pid !== process.pid && now !== null && now === began
}

function holderFrom(text: string): Holder | null {
  try {
    // Written by `lockInstance`; both fields are checked below.
    const { pid, began } = JSON.parse(text) as Partial<Holder>
    return typeof pid === 'number' && typeof began === 'string' ? { pid, began } : null
  } catch {
    return null
  }
}

/**
 * When the process began, in whatever unit the system counts; null when there is no such process or
 * only its remains.
 */
function beganAt(pid: number): string | null {
  return process.platform === 'linux' ? beganByProc(pid) : beganByPs(pid)
}

function beganByProc(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === null) return null
  // Fields are counted behind the last bracket, because the name in brackets may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z') return null
  return `${readText('/proc/sys/kernel/random/boot_id')?.trim()} ${fields[19]}`
}

function beganByPs(pid: number): string | null {
  try {
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null
    )
  } catch {
    return null
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT' || code === 'ESRCH') return null
    throw error
  }
}
