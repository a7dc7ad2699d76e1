import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Cost, question } from './channel.ts'

export interface Child extends AsyncDisposable {
  readonly pid: number
  readonly ready: any
  cost(): Promise<Cost>
  /** One question at a time. */
  ask<Answer>(asked: unknown): Promise<Answer>
  stop(): Promise<void>
}

interface Start {
  program: string
  args?: readonly string[]
  nodeArgs?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** A program that says by itself when it is ready; others are asked from outside. */
  saysReady?: boolean
}

const probe = pathToFileURL(join(import.meta.dirname, 'probe.ts')).href
const stopsWithinMs = 15_000
const answersWithinMs = 60_000

/** A process of the bench with the probe in it. What it prints is shown only when it fails. */
export async function startChild({ program, args = [], nodeArgs = [], env = {}, saysReady = true }: Start): Promise<Child> {
  const child = spawn(process.execPath, ['--import', probe, ...nodeArgs, program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production', ...env },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (printed = (printed + String(text)).slice(-4_000)))
  const wait = waiting(child, () => `${program} printed:\n${printed}`)
  const ready = saysReady ? await wait('ready') : null
  return {
    pid: child.pid ?? 0,
    ready,
    async cost() {
      const answered = wait('cost')
      child.send(question.cost)
      return answered
    },
    async ask(asked) {
      const answered = wait('answer')
      // Every question is an object that survives the channel.
      child.send(asked as object)
      return answered
    },
    stop: () => stop(child),
    [Symbol.asyncDispose]: () => stop(child),
  }
}

function waiting(child: ChildProcess, told: () => string): (key: string) => Promise<any> {
  return (key) =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(late)
        child.off('message', hear)
        child.off('close', gone)
      }
      const gone = (): void => (end(), reject(new Error(`ended: ${told()}`)))
      const hear = (message: any): void => {
        if ('failed' in message) return (end(), reject(new Error(message.failed)))
        if (key in message) return (end(), resolve(message[key]))
      }
      const late = setTimeout(() => (end(), reject(new Error(`no ${key} within ${answersWithinMs} ms; ${told()}`))), answersWithinMs)
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
