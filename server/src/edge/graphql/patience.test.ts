import { expect, test } from 'vitest'
import { Fault, transient } from '../../engine/model/fault.ts'
import { textMessage } from '../../engine/model/message.ts'
import { writePatiently } from './patience.ts'

/** A clock on which only sleep takes time. */
const aClock = () => {
  let nowMs = 0
  return {
    elapsedMs: () => nowMs,
    sleep(delayMs: number) {
      nowMs += delayMs
      return Promise.resolve()
    },
  }
}

const busy = new Fault('wrong_state', textMessage('it is being changed'), transient)
const stopped = new Fault('wrong_state', textMessage('it is stopped'))

/** Fails with these errors in turn and then succeeds. */
const failing = (...errors: readonly Error[]) => {
  const tries: number[] = []
  const write = (): Promise<string> => {
    const error = errors[tries.length]
    tries.push(tries.length)
    return error ? Promise.reject(error) : Promise.resolve('written')
  }
  return { tries, write }
}

const present = { isGone: () => false, patienceSeconds: 20 }

test('a transient refusal is waited for until the write is accepted', async () => {
  const { tries, write } = failing(busy, busy, busy)
  expect(await writePatiently({ ...present, clock: aClock() }, write)).toBe('written')
  expect(tries).toHaveLength(4)
})

test.each([
  { error: stopped, because: 'it does not end by itself' },
  { error: new TypeError('a bug'), because: 'it is no refusal' },
])('$error is answered at once: $because', async ({ error }) => {
  const { tries, write } = failing(error)
  await expect(writePatiently({ ...present, clock: aClock() }, write)).rejects.toBe(error)
  expect(tries).toHaveLength(1)
})

test('a transient refusal is answered at once without patience and when its time is over', async () => {
  const always = failing(...Array.from({ length: 1_000 }, () => busy))
  const clock = aClock()
  await expect(writePatiently({ ...present, clock }, always.write)).rejects.toBe(busy)
  expect(clock.elapsedMs()).toBeLessThanOrEqual(20_000)
  expect(clock.elapsedMs()).toBeGreaterThan(19_000)
  const { tries, write } = failing(busy)
  await expect(writePatiently({ ...present, clock, patienceSeconds: 0 }, write)).rejects.toBe(busy)
  expect(tries).toHaveLength(1)
})

test('a client that disconnects ends the repetitions', async () => {
  let checks = 0
  const { tries, write } = failing(busy, busy, busy, busy)
  const isGone = (): boolean => (checks += 1) > 1
  await expect(writePatiently({ ...present, clock: aClock(), isGone }, write)).rejects.toBe(busy)
  expect(tries).toHaveLength(2)
})
