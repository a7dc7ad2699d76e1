import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import type { EngineWorkerPlan } from './worker.ts'
import { type EngineWorld, platformOptions } from './world.ts'

const entry = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** A worker process that can be killed, paused and restarted. Counts the events it prints. */
export class WorkerProcess implements AsyncDisposable {
  readonly #plan: EngineWorkerPlan
  readonly events = { ready: 0, claimed: 0, fenced: 0 }
  readonly errors: string[] = []
  #child: ChildProcess

  constructor(plan: EngineWorkerPlan) {
    this.#plan = plan
    this.#child = this.#spawn()
  }

  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void {
    this.#child.kill(name)
  }

  running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  restart(): void {
    this.#child = this.#spawn()
  }

  async exited(): Promise<void> {
    if (this.running()) await new Promise((resolve) => this.#child.once('exit', resolve))
  }

  /** Waits until the current process has claimed another key. False when the deadline passes. */
  async busy(deadlineMs = 10_000): Promise<boolean> {
    const before = this.events.claimed
    const since = systemClock.elapsedMs()
    while (this.events.claimed === before && systemClock.elapsedMs() - since < deadlineMs)
      await systemClock.sleep(5)
    return this.events.claimed > before
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.signal('SIGKILL')
    await this.exited()
  }

  #spawn(): ChildProcess {
    const child = spawn(process.execPath, [entry, JSON.stringify(this.#plan)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    createInterface({ input: child.stdout }).on('line', (word) => {
      if (word === 'ready' || word === 'claimed' || word === 'fenced') this.events[word] += 1
    })
    child.stderr.on('data', (bytes: Buffer) => this.errors.push(bytes.toString()))
    return child
  }
}

/** Creates the tables of a simulated product and cluster, without row level security. */
export async function anEngineCluster(world: EngineWorld): Promise<void> {
  await world.database.sql(`
    create table engine_unit (id uuid primary key, step int not null default 0, created_at timestamptz default clock_timestamp(), done_at timestamptz);
    create table engine_object (unit uuid, step int, uid uuid default gen_random_uuid(), primary key (unit, step));
    create table engine_record (id bigint generated always as identity primary key, unit uuid, step int, epoch bigint);
    grant all on engine_unit, engine_object, engine_record to public`)
}

export function workerPlan(
  world: EngineWorld,
  changes: Partial<EngineWorkerPlan> = {},
): EngineWorkerPlan {
  return {
    url: world.database.url,
    options: platformOptions,
    leaseMs: 2_000,
    concurrency: 16,
    fenced: true,
    failpoints: null,
    ...changes,
  }
}

/** In each round, pauses the busy worker for `pauseMs`, resumes it, kills it and restarts it. */
export async function disturb(
  worker: WorkerProcess,
  random: () => number,
  { rounds, pauseMs }: { rounds: number; pauseMs: number },
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await worker.busy()
    await systemClock.sleep(200 + random() * 200)
    worker.signal('SIGSTOP')
    await systemClock.sleep(pauseMs)
    worker.signal('SIGCONT')
    await systemClock.sleep(50 + random() * 150)
    worker.signal('SIGKILL')
    await worker.exited()
    worker.restart()
  }
}
