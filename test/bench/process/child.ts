import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Cost, question } from './channel.ts'

/** Where a program listens, or what it serves. */
export interface Ready {
  port: number
  url: string
}

export interface Child extends AsyncDisposable {
  readonly pid: number
  readonly ready: Ready
  cost(): Promise<Cost>
  /** One question at a time. */
  ask<Answer>(asked: unknown): Promise<Answer>
  stop(): Promise<void>
}

interface Start {
  program: string
  nodeArgs?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** A program that says by itself when it is ready; others are asked from outside. */
  saysReady?: boolean
}

const probe = pathToFileURL(join(import.meta.dirname, 'probe.ts')).href
const stopsWithinMs = 15_000
const answersWithinMs = 60_000

/** A process of the bench with the probe in it. What it prints is shown only when it fails. */
export async function startChild({
  program,
  nodeArgs = [],
  env = {},
  saysReady = true,
}: Start): Promise<Child> {
  const child = spawn(process.execPath, ['--import', probe, ...nodeArgs, program], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => (printed = (printed + String(text)).slice(-4_000)))
  const wait = waiting(child, () => `${program} printed:\n${printed}`)
  const ready = saysReady ? await wait<Ready>('ready') : { port: 0, url: '' }
  return {
    pid: child.pid ?? 0,
    ready,
    async cost() {
      const answered = wait<Cost>('cost')
      child.send(question.cost)
      return answered
    },
    async ask<Answer>(asked: unknown) {
      const answered = wait<Answer>('answer')
      // Every question is an object that survives the channel.
      child.send(asked as object)
      return answered
    },
    stop: () => stop(child),
    [Symbol.asyncDispose]: () => stop(child),
  }
}

function waiting(
  child: ChildProcess,
  told: () => string,
): <Answer>(key: string) => Promise<Answer> {
  return <Answer>(key: string) =>
    new Promise<Answer>((resolve, reject) => {
      const end = (): void => {
        clearTimeout(late)
        child.off('message', hear)
        child.off('close', gone)
      }
      const gone = (): void => (end(), reject(new Error(`ended: ${told()}`)))
      const hear = (message: Record<string, Answer>): void => {
        if ('failed' in message) return (end(), reject(new Error(String(message['failed']))))
        const answer = message[key]
        if (answer !== undefined) return (end(), resolve(answer))
      }
      const late = setTimeout(
        () => (end(), reject(new Error(`no ${key} within ${answersWithinMs} ms; ${told()}`))),
        answersWithinMs,
      )
      child.on('message', hear)
      child.once('close', gone)
    })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), stopsWithinMs)
  await closed
  clearTimeout(late)
}
