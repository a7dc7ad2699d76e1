import { type ChildProcess, spawn } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'

/*
 * The embedded cluster as a child of ours. It ends when we end, however we end: it watches the pipe
 * to its standard input. When it dies it is started again on the same port, so whoever talks to it
 * only sees a cluster that was away for a moment. A sandbox left over by somebody else is never
 * adopted: the folder is locked by the sandbox itself, and the start fails with a sentence that
 * says so.
 */
export interface SandboxProcess {
  kubeconfig: string
  pid(): number | null
  stop(): Promise<void>
}

interface SandboxParts {
  /** The sandbox's entry: main.ts from source, main.js as built. */
  entry: string
  folder: string
  /** What is installed in it beside what every sandbox has. */
  components?: readonly string[]
  clock: Clock
  log: Log
  startLimitMs?: number
}

const restartLimits = { firstMs: 250, capMs: 15_000 }
/** One that lived this long did not die of its start. */
const settledAfterMs = 30_000
const stopGraceMs = 5_000
const stepsBack = 10

export class SandboxFailed extends Error {
  constructor(reason: string) {
    super(`the embedded cluster did not start: ${reason}`)
    this.name = 'SandboxFailed'
  }
}

/** Resolves when the cluster answers for the first time; fails when it does not come up at all. */
export async function startSandboxProcess(parts: SandboxParts): Promise<SandboxProcess> {
  const supervisor = new Supervisor(parts)
  await supervisor.startFirst()
  return {
    kubeconfig: join(parts.folder, 'kubeconfig'),
    pid: () => supervisor.pid,
    stop: () => supervisor.stop(),
  }
}

interface Running {
  child: ChildProcess
  exited: Promise<string>
}

class Supervisor {
  readonly #parts: SandboxParts
  readonly #stopping = new AbortController()
  #running: Running | null = null
  #supervision: Promise<void> = Promise.resolve()
  #port = '0'

  constructor(parts: SandboxParts) {
    this.#parts = parts
  }

  get pid(): number | null {
    return this.#running?.child.pid ?? null
  }

  async startFirst(): Promise<void> {
    await this.#start()
    this.#supervision = this.#supervise()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#end()
    await this.#supervision
  }

  async #supervise(): Promise<void> {
    const { clock, log } = this.#parts
    let failures = 0
    while (!this.#stopping.signal.aborted) {
      const startedMs = clock.elapsedMs()
      const reason = await this.#running?.exited
      if (this.#stopping.signal.aborted) return
      failures = clock.elapsedMs() - startedMs > settledAfterMs ? 1 : failures + 1
      log.warn('the embedded cluster ended; starting it again', { reason, failures })
      await clock.sleep(backoffMs(failures, restartLimits), this.#stopping.signal)
      if (!this.#stopping.signal.aborted)
        await this.#start().catch((error: unknown) => this.#giveUpPort(error))
    }
  }

  /** Somebody may have taken the port meanwhile; the kubeconfig will say where it is next. */
  #giveUpPort(error: unknown): void {
    this.#port = '0'
    this.#parts.log.error('the embedded cluster did not start', { error })
  }

  async #start(): Promise<void> {
    const { entry, folder, components = [], clock, startLimitMs = 60_000 } = this.#parts
    const given = [
      '--enable-source-maps',
      entry,
      '--folder',
      folder,
      '--port',
      this.#port,
      ...components.flatMap((name) => ['--with', name]),
    ]
    const child = spawn(process.execPath, given, { stdio: ['pipe', 'pipe', 'pipe'] })
    yieldTo(child)
    // Writing to a child that has just died is not our end.
    child.stdin.on('error', () => undefined)
    const said = lastWords(child)
    const exited = new Promise<string>((done) => {
      child.once('error', (error) => done(error.message))
      child.once('exit', (code, signal) => done(said() || `exit ${code ?? signal}`))
    })
    this.#running = { child, exited }
    const waited = new AbortController()
    const late = clock
      .sleep(startLimitMs, waited.signal)
      .then(() => `no answer within ${startLimitMs} ms`)
    const outcome = await Promise.race([
      firstLine(child),
      exited.then((reason) => ({ reason })),
      late.then((reason) => ({ reason })),
    ])
    waited.abort()
    if ('reason' in outcome) {
      await this.#end()
      throw new SandboxFailed(outcome.reason)
    }
    this.#port = new URL(outcome.url).port
  }

  async #end(): Promise<void> {
    if (!this.#running) return
    const { child, exited } = this.#running
    child.kill('SIGTERM')
    const gone = new AbortController()
    const forced = this.#parts.clock.sleep(stopGraceMs, gone.signal).then(() => {
      if (!gone.signal.aborted) child.kill('SIGKILL')
    })
    await exited
    gone.abort()
    await forced
  }
}

async function firstLine(child: ChildProcess): Promise<{ url: string }> {
  return new Promise((done) => {
    if (!child.stdout) return
    const lines = createInterface({ input: child.stdout })
    // The one line that the sandbox prints, in this shape.
    lines.once('line', (line) => done(JSON.parse(line) as { url: string }))
    // Read on, or a full pipe would stop the child.
    lines.on('line', () => undefined)
  })
}

/** What the child wrote to standard error, for the reason that a person reads. */
function lastWords(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => (text = (text + chunk.toString('utf8')).slice(-2000)))
  return () => text.trim()
}

/**
 * People wait for answers, and for machines anyway: where processors are scarce, the cluster is the
 * one to wait.
 */
function yieldTo({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(getPriority() + stepsBack, 19))
  } catch {
    // It has ended already, which is told elsewhere.
  }
}
