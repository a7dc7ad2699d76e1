import { expect, test } from 'vitest'
import { type Clock } from '../../runtime/clock.ts'
import { createTokenBucket } from './token-bucket.ts'

/** A clock that records sleeps, and on which all sleeps end at once. */
function pacedClock(): Pick<Clock, 'elapsedMs' | 'sleep'> & { slept: number[]; at: number } {
  const clock = {
    at: 1000,
    slept: [] as number[],
    elapsedMs: () => clock.at,
    sleep: (delayMs: number) => {
      clock.slept.push(delayMs)
      return Promise.resolve()
    },
  }
  return clock
}

// The bucket uses only these members of a clock.
const bucketOn = (clock: ReturnType<typeof pacedClock>) =>
  createTokenBucket({ perSecond: 20, burst: 40, clock: clock as unknown as Clock })

test('forty calls start at once, and later calls start every 50 ms', async () => {
  const clock = pacedClock()
  const bucket = bucketOn(clock)
  for (let call = 0; call < 40; call += 1) await bucket.take()
  expect(clock.slept).toEqual([])
  for (let call = 0; call < 3; call += 1) await bucket.take()
  expect(clock.slept).toEqual([50, 100, 150])
})

test('an idle bucket fills up to the burst and no further', async () => {
  const clock = pacedClock()
  const bucket = bucketOn(clock)
  for (let call = 0; call < 40; call += 1) await bucket.take()
  clock.at += 3600_000
  for (let call = 0; call < 40; call += 1) await bucket.take()
  expect(clock.slept).toEqual([])
  await bucket.take()
  expect(clock.slept).toEqual([50])
})

test('a paused bucket starts no call before the pause ends', async () => {
  const clock = pacedClock()
  const bucket = bucketOn(clock)
  bucket.pause(2000)
  await bucket.take()
  expect(clock.slept).toEqual([2000])
})

test('calls after a pause start one by one and not in a burst', async () => {
  const clock = pacedClock()
  const bucket = bucketOn(clock)
  bucket.pause(2000)
  for (let call = 0; call < 3; call += 1) await bucket.take()
  expect(clock.slept).toEqual([2000, 2050, 2100])
})

test('a waiting call waits for a later pause as well', async () => {
  const clock = pacedClock()
  const bucket = bucketOn(clock)
  for (let call = 0; call < 40; call += 1) await bucket.take()
  const waiting = bucket.take()
  bucket.pause(2000)
  await waiting
  expect(clock.slept).toEqual([50, 2000])
})
