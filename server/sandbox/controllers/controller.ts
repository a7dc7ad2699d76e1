import { clock } from '../clock.ts'
import { type StoreEvent } from '../apiserver/storage/history.ts'
import { ApiError, refuse } from '../objects/status.ts'
import { type KubeObject } from '../objects/types.ts'
import { type GateDecision } from './gates.ts'
import { Client, type World } from './client.ts'

/** The namespace and the name of an object that a controller has to reconcile. */
export interface Key {
  namespace: string | undefined
  name: string
}

/** Maps the objects of one kind to the keys that a controller reconciles when they change. */
export interface Source {
  kind: string
  keysOf: (object: KubeObject, client: Client) => readonly Key[]
}

/**
 * Level-triggered like the real controllers: an event only enqueues a key, and the reconcile reads
 * the state from the store.
 *
 * A reconcile does the work that is possible now. It is called again when one of its sources
 * changes, or after the milliseconds that it returns.
 */
export interface Controller {
  /** The component of its events. */
  name: string
  /** The field manager of its writes, which is the program that runs it; `name` by default. */
  fieldManager?: string
  sources: readonly Source[]
  reconcile(client: Client, key: Key): number | undefined
  /**
   * Enqueues keys for changes outside the cluster's objects, such as those of guests; returns a
   * function that stops it.
   */
  watchOther?(world: World, enqueue: (key: Key) => void): () => void
}

export const ownKey = ({ metadata: { namespace, name } }: KubeObject): Key[] => [
  { namespace, name },
]

/** Runs a controller until the returned function is called. */
export function runController(world: World, controller: Controller): () => void {
  const queue = new Queue(world, controller)
  const stops = controller.sources.map((source) => queue.follow(source))
  const stopOwn = controller.watchOther?.(world, (key) => queue.enqueueKey(key))
  if (stopOwn) stops.push(stopOwn)
  return () => {
    for (const stop of stops) stop()
    queue.stop()
  }
}

const textOf = ({ namespace = '', name }: Key): string => `${namespace}/${name}`
const maxRetryMs = 10_000

/**
 * A work queue: each key is queued at most once, and a failed reconcile is retried with exponential
 * backoff.
 */
class Queue {
  readonly #world: World
  readonly #controller: Controller
  readonly #desk: Client
  readonly #waiting = new Map<string, { dueMs: number; cancel: () => void }>()
  readonly #failures = new Map<string, number>()
  readonly #heldKeys = new Set<string>()

  constructor(world: World, controller: Controller) {
    this.#world = world
    this.#controller = controller
    this.#desk = new Client(world, controller.name, controller.fieldManager)
  }

  follow({ kind, keysOf }: Source): () => void {
    const resource = this.#world.store.registry.named(kind)
    const enqueue = (object: KubeObject): void => {
      for (const key of keysOf(object, this.#desk))
        this.#enqueue(key, this.#world.pace.msOf('reaction'))
    }
    for (const object of this.#world.store.list(resource)) enqueue(object)
    return this.#world.store.subscribe(resource, (event: StoreEvent) => enqueue(event.object))
  }

  enqueueKey(key: Key): void {
    this.#enqueue(key, this.#world.pace.msOf('reaction'))
  }

  stop(): void {
    for (const { cancel } of this.#waiting.values()) cancel()
    this.#waiting.clear()
  }

  #enqueue(key: Key, delayMs: number): void {
    const text = textOf(key)
    const dueMs = clock.nowMs() + delayMs
    const known = this.#waiting.get(text)
    // One reconcile is enough, and the earlier one wins: it reads the whole state.
    if (known && known.dueMs <= dueMs) return
    known?.cancel()
    this.#waiting.set(text, {
      dueMs,
      cancel: clock.after(delayMs, () => this.#reconcile(key, text)),
    })
  }

  #reconcile(key: Key, text: string): void {
    this.#waiting.delete(text)
    const decision = this.#decision(key, text)
    if (decision === 'held') return
    try {
      if (decision === 'fails') throw refuse.internal('failed on command')
      const againMs = this.#controller.reconcile(this.#desk, key)
      this.#failures.delete(text)
      if (againMs !== undefined) this.#enqueue(key, againMs)
    } catch (error) {
      const failures = (this.#failures.get(text) ?? 0) + 1
      this.#failures.set(text, failures)
      if (!(error instanceof ApiError))
        process.stderr.write(`${this.#controller.name} failed on ${text}: ${String(error)}\n`)
      this.#enqueue(
        key,
        Math.min(maxRetryMs, this.#world.pace.msOf('retry') * 2 ** Math.min(failures - 1, 10)),
      )
    }
  }

  /** Asks the gates whether the reconcile may run. A held key runs once after its release. */
  #decision(key: Key, text: string): GateDecision {
    if (this.#heldKeys.has(text)) return 'held'
    const onRelease = (): void => {
      this.#heldKeys.delete(text)
      this.#enqueue(key, 0)
    }
    const decision =
      this.#world.gates?.decide({ controller: this.#controller.name, key: text }, onRelease) ??
      'open'
    if (decision === 'held') this.#heldKeys.add(text)
    return decision
  }
}
