import { type ChildProcess, spawn } from 'node:child_process'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { backoffMs } from '../../runtime/backoff.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'

/*
 * Runs the embedded cluster as a child process. It ends when Berth ends, even when Berth crashes,
 * because it watches the pipe of its standard input. When it dies it is restarted on the same port,
 * so its clients see only a short outage. A sandbox of another process is never adopted: the
 * sandbox locks its folder, and the start then fails with an explanation.
 */
export interface SandboxProcess {
  kubeconfig: string
  pid(): number | null
  stop(): Promise<void>
}

interface SandboxParts {
  /** The entry file of the sandbox: main.ts from source, main.js when built. */
  entry: string
  folder: string
  /** Components in addition to those that every sandbox has. */
  components?: readonly string[]
  clock: Clock
  log: Log
  startLimitMs?: number
}

const restartLimits = { firstMs: 250, capMs: 15_000 }
/** A process that ran this long did not fail during its start. */
const settledAfterMs = 30_000
const stopGraceMs = 5_000
const niceSteps = 10

export class SandboxFailed extends Error {
  constructor(reason: string) {
    super(`the embedded cluster did not start: ${reason}`)
    this.name = 'SandboxFailed'
  }
}

/**
 * Starts the sandbox. Resolves when it answers for the first time, and fails when it does not
 * start.
 */
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
      log.warn('sandbox.exited', {
        reason,
        failures,
        effect: 'Berth starts the sandbox again within seconds; VMs do not change until it runs',
        remedy: 'none, unless failures grows: read the reason',
      })
      await clock.sleep(backoffMs(failures, restartLimits), this.#stopping.signal)
      if (!this.#stopping.signal.aborted)
        await this.#start().catch((error: unknown) => this.#giveUpPort(error))
    }
  }

  /**
   * Chooses another port after a failed start, because another process may use the old one. The
   * kubeconfig has the new port.
   */
  #giveUpPort(error: unknown): void {
    this.#port = '0'
    this.#parts.log.error('sandbox.restart_failed', {
      error,
      effect: 'Berth tries again within seconds, on another port; VMs do not change until then',
      remedy: 'if it repeats, report the error to the developers of Berth',
    })
  }

  async #start(): Promise<void> {
    const { entry, folder, components = [], clock, startLimitMs = 60_000 } = this.#parts
    const args = [
      '--enable-source-maps',
      entry,
      '--folder',
      folder,
      '--port',
      this.#port,
      ...components.flatMap((name) => ['--with', name]),
    ]
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    lowerPriority(child)
    // A write to a child that has just died must not end this process.
    child.stdin.on('error', () => undefined)
    const lastOutput = lastOutputOf(child)
    const exited = new Promise<string>((done) => {
      child.once('error', (error) => done(error.message))
      child.once('exit', (code, signal) => done(lastOutput() || `exit ${code ?? signal}`))
    })
    this.#running = { child, exited }
    const started = new AbortController()
    const timedOut = clock
      .sleep(startLimitMs, started.signal)
      .then(() => `no answer within ${startLimitMs} ms`)
    const outcome = await Promise.race([
      firstLine(child),
      exited.then((reason) => ({ reason })),
      timedOut.then((reason) => ({ reason })),
    ])
    started.abort()
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
    const ended = new AbortController()
    const forced = this.#parts.clock.sleep(stopGraceMs, ended.signal).then(() => {
      if (!ended.signal.aborted) child.kill('SIGKILL')
    })
    await exited
    ended.abort()
    await forced
  }
}

async function firstLine(child: ChildProcess): Promise<{ url: string }> {
  return new Promise((done) => {
    if (!child.stdout) return
    const lines = createInterface({ input: child.stdout })
    // The sandbox prints exactly one line, in this shape.
    lines.once('line', (line) => done(JSON.parse(line) as { url: string }))
    // Reading continues, because a full pipe would block the child.
    lines.on('line', () => undefined)
  })
}

/** Collects the end of the child's standard error for the failure message. */
function lastOutputOf(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', (chunk: Buffer) => (text = (text + chunk.toString('utf8')).slice(-2000)))
  return () => text.trim()
}

/**
 * Lowers the priority of the child. When CPUs are scarce, responses to users matter more than the
 * simulated cluster.
 */
function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    setPriority(pid, Math.min(getPriority() + niceSteps, 19))
  } catch {
    // The child has ended already, and its exit handler reports that.
  }
}
