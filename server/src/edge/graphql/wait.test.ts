import { expect, test } from 'vitest'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type Delivery } from '../../engine/model/change.ts'
import { type FieldContext } from './context.ts'
import { afterWaiting } from './wait.ts'

// Sixty seconds never end by it; only the other ways to an end are left.
const hurrying = { elapsedMs: () => 0, sleep: () => Promise.resolve() }

type Waiting = Parameters<typeof afterWaiting>[0]

/** A listener who hears of nothing, and counts those who listen. */
class SilentHub {
  readonly #open = new Set<unknown>()

  get listening(): number {
    return this.#open.size
  }

  subscribe() {
    const heard = Promise.withResolvers<IteratorResult<Delivery, undefined>>()
    this.#open.add(heard)
    const close = (): void => {
      this.#open.delete(heard)
      heard.resolve({ done: true, value: undefined })
    }
    return { next: () => heard.promise, close }
  }
}

// Of an operation only this is looked at.
const operation = { id: 'operation-1', state: 'running' } as unknown as OperationView

function waitingOn(hub: SilentHub, different: Partial<Waiting>): Waiting {
  const reads = { operations: { find: () => Promise.resolve(operation) } }
  // Nothing else of these is used here.
  const parts = { hub, reads } as unknown as Pick<FieldContext, 'hub' | 'reads'>
  return { ...parts, scope: 'platform', clock: hurrying, isGone: () => false, ...different }
}

test('whoever hangs up ends the wait, long before the time is over', async () => {
  const hub = new SilentHub()
  let looks = 0
  const waiting = waitingOn(hub, { isGone: () => (looks += 1) > 2 })
  expect(await afterWaiting(waiting, { operation }, 60)).toEqual({ operation })
  expect({ looks, listening: hub.listening }).toEqual({ looks: 3, listening: 0 })
})

test('an operation that cannot be read any more is answered as it was when it was accepted', async () => {
  const hub = new SilentHub()
  const broken = {
    operations: { find: () => Promise.reject(new TypeError('the database is away')) },
  } as unknown as FieldContext['reads']
  expect(await afterWaiting(waitingOn(hub, { reads: broken }), { operation }, 60)).toEqual({
    operation,
  })
  expect(hub.listening).toBe(0)
})

test('nobody listens where there is nothing to wait for', async () => {
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
