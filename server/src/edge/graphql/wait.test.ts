import { expect, test } from 'vitest'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type Delivery } from '../../engine/model/change.ts'
import { type FieldContext } from './context.ts'
import { afterWaiting, findEnded } from './wait.ts'

// This clock never advances, so the wait of sixty seconds cannot time out.
const stoppedClock = { elapsedMs: () => 0, sleep: () => Promise.resolve() }

type WaitContext = Parameters<typeof afterWaiting>[0]

/** A hub that sends nothing and counts its subscribers. */
class SilentHub {
  readonly #open = new Set<unknown>()

  get listening(): number {
    return this.#open.size
  }

  subscribe() {
    const next = Promise.withResolvers<IteratorResult<Delivery, undefined>>()
    this.#open.add(next)
    const close = (): void => {
      this.#open.delete(next)
      next.resolve({ done: true, value: undefined })
    }
    return { next: () => next.promise, close }
  }
}

// The wait reads only these fields of an operation.
const operation = { id: 'operation-1', state: 'running' } as unknown as OperationView

function waitingOn(hub: SilentHub, overrides: Partial<WaitContext>): WaitContext {
  const reads = { operations: { find: () => Promise.resolve(operation) } }
  // The wait uses nothing else of these parts.
  const parts = { hub, reads } as unknown as Pick<FieldContext, 'hub' | 'reads'>
  return { ...parts, scope: 'platform', clock: stoppedClock, isGone: () => false, ...overrides }
}

test('a client that disconnects ends the wait long before the time is over', async () => {
  const hub = new SilentHub()
  let checks = 0
  const waiting = waitingOn(hub, { isGone: () => (checks += 1) > 2 })
  expect(await afterWaiting(waiting, { operation }, 60)).toEqual({ operation })
  expect({ checks, listening: hub.listening }).toEqual({ checks: 3, listening: 0 })
})

test('a read that waits is answered with the present state when its client disconnects', async () => {
  const hub = new SilentHub()
  let checks = 0
  const waiting = waitingOn(hub, { isGone: () => (checks += 1) > 2 })
  expect(await findEnded(waiting, operation.id, 60)).toEqual(operation)
  expect({ checks, listening: hub.listening }).toEqual({ checks: 3, listening: 0 })
})

test('a read that waits is answered with the present state when the time is over', async () => {
  const hub = new SilentHub()
  let nowMs = 0
  const clock = {
    elapsedMs: () => nowMs,
    sleep: (ms: number) => Promise.resolve(void (nowMs += ms)),
  }
  expect(await findEnded(waitingOn(hub, { clock }), operation.id, 60)).toEqual(operation)
  expect([nowMs, hub.listening]).toEqual([60_000, 0])
})

test('an operation that cannot be read again is answered as it was when it was accepted', async () => {
  const hub = new SilentHub()
  const broken = {
    operations: { find: () => Promise.reject(new TypeError('the database is away')) },
  } as unknown as FieldContext['reads']
  expect(await afterWaiting(waitingOn(hub, { reads: broken }), { operation }, 60)).toEqual({
    operation,
  })
  expect(hub.listening).toBe(0)
})

test('the wait subscribes to nothing when there is nothing to wait for', async () => {
  const hub = new SilentHub()
  const ended = { ...operation, state: 'succeeded' as const }
  expect(await afterWaiting(waitingOn(hub, {}), { operation: ended }, 60)).toEqual({
    operation: ended,
  })
  expect(await afterWaiting(waitingOn(hub, {}), { operation }, 0)).toEqual({ operation })
  expect(await afterWaiting(waitingOn(hub, {}), { operation: null }, 60)).toEqual({
    operation: null,
  })
  expect(hub.listening).toBe(0)
})
