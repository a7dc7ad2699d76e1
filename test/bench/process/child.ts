import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Cost, command } from './channel.ts'

/** The address at which a program listens, or the URL that it serves. */
export interface Ready {
  port: number
  url: string
}

/** A started process of the bench. */
export interface Child extends AsyncDisposable {
  readonly pid: number
  readonly ready: Ready
  cost(): Promise<Cost>
  /** Sends one request and returns its answer. Only one request at a time is allowed. */
  ask<Answer>(request: unknown): Promise<Answer>
  stop(): Promise<void>
}

interface Start {
  program: string
  nodeArgs?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** True when the program reports its own readiness. Otherwise the bench polls it. */
  reportsReady?: boolean
}

const probe = pathToFileURL(join(import.meta.dirname, 'probe.ts')).href
const stopTimeoutMs = 15_000
const answerTimeoutMs = 60_000

/** Starts a process of the bench with the probe. Its output is shown only when it fails. */
export async function startChild({
  program,
  nodeArgs = [],
  env = {},
  reportsReady = true,
}: Start): Promise<Child> {
  const child = spawn(process.execPath, ['--import', probe, ...nodeArgs, program], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => (printed = (printed + String(text)).slice(-4_000)))
  const wait = waiting(child, () => `${program} printed:\n${printed}`)
  const ready = reportsReady ? await wait<Ready>('ready') : { port: 0, url: '' }
  return {
    pid: child.pid ?? 0,
    ready,
    async cost() {
      const answered = wait<Cost>('cost')
      child.send(command.cost)
      return answered
    },
    async ask<Answer>(request: unknown) {
      const answered = wait<Answer>('answer')
      // Every request is an object that the channel can serialize.
      child.send(request as object)
      return answered
    },
    stop: () => stop(child),
    [Symbol.asyncDispose]: () => stop(child),
  }
}

function waiting(
  child: ChildProcess,
  output: () => string,
): <Answer>(key: string) => Promise<Answer> {
  return <Answer>(key: string) =>
    new Promise<Answer>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(late)
        child.off('message', hear)
        child.off('close', gone)
      }
      const gone = (): void => (end(), reject(new Error(`ended: ${output()}`)))
      const hear = (message: Record<string, Answer>): void => {
        if ('failed' in message) return (end(), reject(new Error(String(message['failed']))))
        const answer = message[key]
        if (answer !== undefined) return (end(), resolve(answer))
      }
      const late = setTimeout(
        () => (end(), reject(new Error(`no ${key} within ${answerTimeoutMs} ms; ${output()}`))),
        answerTimeoutMs,
      )
      child.on('message', hear)
      child.once('close', gone)
    })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
  await closed
  clearTimeout(late)
}
