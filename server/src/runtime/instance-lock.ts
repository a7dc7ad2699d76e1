import { execFileSync } from 'node:child_process'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from './errno.ts'
import { ensureDataDir } from './data-dir.ts'

/*
 * Allows one Berth per data folder. The lock contains the pid of its holder and the start time of
 * that process. A kill -9, or a pid that is reused later, therefore leaves nothing to repair. It
 * prevents a second start on the same host; across hosts, PostgreSQL and its leases decide.
 */
export interface InstanceLock {
  release(): void
}

export class InstanceLockedError extends Error {
  override readonly name = 'InstanceLockedError'
}

interface Holder {
  pid: number
  startedAt: string
}

export function lockInstance(dataDir: string): InstanceLock {
  ensureDataDir(dataDir)
  const path = join(dataDir, 'lock')
  const mine = JSON.stringify({
    pid: process.pid,
    startedAt: startTimeOf(process.pid) ?? '',
  } satisfies Holder)
  // Two attempts are enough unless several processes start at the same time; then one of them gets
  // the lock.
  for (let attempt = 0; attempt < 5; attempt++) {
    if (take(path, mine)) return { release: () => releaseIfMine(path, mine) }
    const content = readText(path)
    const holder = content === null ? null : holderFrom(content)
    if (holder && isHolding(holder))
      throw new InstanceLockedError(
        `Another Berth (process ${holder.pid}) already runs on ${dataDir}`,
      )
    if (content !== null) removeStale(path, content)
  }
  throw new InstanceLockedError(`Another Berth is starting on ${dataDir}`)
}

function take(path: string, content: string): boolean {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, content, { mode: 0o600 })
  try {
    linkSync(draft, path) // The link appears as a whole and never replaces a lock.
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/**
 * Moves the lock aside and reads it again: a stale lock may have become the new lock of another
 * process.
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

function isHolding({ pid, startedAt }: Holder): boolean {
  const now = startTimeOf(pid)
  return pid !== process.pid && now !== null && now === startedAt
}

function holderFrom(text: string): Holder | null {
  try {
    // `lockInstance` writes it; both fields are checked below.
    const { pid, startedAt } = JSON.parse(text) as Partial<Holder>
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : null
  } catch {
    return null
  }
}

/**
 * Returns the start time of the process in the unit of the system. Null when there is no such
 * process, or only a zombie.
 */
function startTimeOf(pid: number): string | null {
  return process.platform === 'linux' ? startTimeFromProc(pid) : startTimeFromPs(pid)
}

function startTimeFromProc(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === null) return null
  // The fields are counted after the last bracket, because the name in brackets may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields[0] === 'Z') return null
  return `${readText('/proc/sys/kernel/random/boot_id')?.trim()} ${fields[19]}`
}

function startTimeFromPs(pid: number): string | null {
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
