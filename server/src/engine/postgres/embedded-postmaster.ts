import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Clock } from '../../runtime/clock.ts'
import { isAbandoned, isAlive } from './embedded-abandoned.ts'
import type { PostgresBinaries, Privileges } from './embedded-binaries.ts'
import { superuser } from './embedded-cluster.ts'
import { EmbeddedPostgresError, failureFromOutput, isStillLocked } from './embedded-failure.ts'

export interface PostmasterPlan {
  dataDir: string
  socketDir: string
  settings: Readonly<Record<string, string>>
  binaries: PostgresBinaries
  privileges: Privileges
  clock: Clock
}

export interface Postmaster {
  pid: number
  adopted: boolean
}

const lockedForMs = 10_000
// Crash recovery of a large log takes long and must not be interrupted, because it would only start
// again.
const recoveryMs = 600_000

/** Adopts a postmaster that outlived its Berth, or starts one. Resolves when it answers. */
export async function startPostmaster(plan: PostmasterPlan): Promise<Postmaster> {
  const started = plan.clock.elapsedMs()
  for (;;) {
    const pid = await answeringPid(plan)
    if (pid) return { pid, adopted: true }
    const result = await startOne(plan)
    if ('pid' in result) return { pid: result.pid, adopted: false }
    const mayRetry = isStillLocked(result.output) && plan.clock.elapsedMs() - started < lockedForMs
    if (!mayRetry) throw failureFromOutput('PostgreSQL could not start', result.output)
    await removeLeftover(plan.dataDir)
    await plan.clock.sleep(200)
  }
}

/**
 * Stops the postmaster. SIGINT is the fast shutdown, which rolls back transactions and writes a
 * checkpoint. SIGQUIT leaves recovery to the next start.
 */
export async function stopPostmaster(plan: PostmasterPlan, pid: number): Promise<void> {
  for (const [signal, timeoutMs] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
  ] as const) {
    if (!isAlive(pid)) return
    send(signal, pid)
    const until = plan.clock.elapsedMs() + timeoutMs
    while (plan.clock.elapsedMs() < until) {
      if (!isAlive(pid) || (await recordedPid(plan.dataDir)) !== pid) return
      await plan.clock.sleep(10)
    }
  }
  throw new EmbeddedPostgresError('failed', `PostgreSQL (process ${pid}) does not stop.`)
}

function send(signal: NodeJS.Signals, pid: number): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process ended by itself; the wait that follows notices it.
  }
}

async function answeringPid(plan: PostmasterPlan): Promise<number | null> {
  const until = plan.clock.elapsedMs() + recoveryMs
  while (plan.clock.elapsedMs() < until) {
    const pid = await recordedPid(plan.dataDir)
    if (!pid || !isAlive(pid)) return null
    const answer = await probe(plan.socketDir)
    if (answer === 'silent') return null
    if (answer === 'ready') return pid
    await plan.clock.sleep(20)
  }
  return null
}

async function startOne(plan: PostmasterPlan): Promise<{ pid: number } | { output: string }> {
  const output = `${plan.dataDir}.log`
  await rename(output, `${output}.1`).catch(() => undefined)
  const file = await open(output, 'w', 0o600)
  try {
    const child = launch(plan, file.fd)
    const pid = child.pid
    if (pid && (await readyOrGone(plan, child))) return { pid }
    return { output: await readFile(output, 'utf8') }
  } finally {
    await file.close()
  }
}

function launch(plan: PostmasterPlan, outputFd: number): ChildProcess {
  const settings = Object.entries(plan.settings).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const args = ['-D', plan.dataDir, '-k', plan.socketDir, ...settings]
  const wrapped = plan.privileges.wrap(plan.binaries.postgres, args)
  // PostgreSQL gets its own session: Ctrl-C in the terminal reaches only Berth, which then stops
  // PostgreSQL last.
  const child = spawn(wrapped.command, wrapped.args, {
    detached: true,
    stdio: ['ignore', outputFd, outputFd],
    ...plan.privileges.owner,
  })
  child.once('error', () => undefined)
  child.unref()
  return child
}

async function readyOrGone(plan: PostmasterPlan, child: ChildProcess): Promise<boolean> {
  const until = plan.clock.elapsedMs() + recoveryMs
  while (child.exitCode === null && child.signalCode === null && plan.clock.elapsedMs() < until) {
    // The socket may belong to a predecessor. Only an answer of the started process counts.
    if (
      (await recordedPid(plan.dataDir)) === child.pid &&
      (await probe(plan.socketDir)) === 'ready'
    )
      return true
    await plan.clock.sleep(10)
  }
  return false
}

async function removeLeftover(dataDir: string): Promise<void> {
  if (await isAbandoned(dataDir)) await rm(join(dataDir, 'postmaster.pid'), { force: true })
}

async function recordedPid(dataDir: string): Promise<number | null> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(text, 10)
  return pid > 0 ? pid : null
}

async function probe(socketDir: string): Promise<'ready' | 'starting' | 'silent'> {
  const client = new pg.Client({
    host: socketDir,
    user: superuser,
    database: 'postgres',
    connectionTimeoutMillis: 2_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return 'ready'
  } catch (error) {
    // 57P03 means that the server is starting up, recovering or shutting down. Errors of pg carry a
    // code or none.
    return (error as { code?: string }).code === '57P03' ? 'starting' : 'silent'
  } finally {
    await client.end().catch(() => undefined)
  }
}
