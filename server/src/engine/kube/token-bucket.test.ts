import { expect, test } from 'vitest'
import { type Clock } from '../../runtime/clock.ts'
import { createTokenBucket } from './token-bucket.ts'

/** Time that passes only by sleeping, and all sleepers at once. */
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

// The bucket uses nothing else of a clock.
const bucketOn = (clock: ReturnType<typeof pacedClock>) =>
  createTokenBucket({ perSecond: 20, burst: 40, clock: clock as unknown as Clock })

test('forty calls leave at once, the next ones every 50 ms', async () => {
  const clock = pacedClock()
  const bucket = bucketOn(clock)
  for (let call = 0; call < 40; call += 1) await bucket.take()
  expect(clock.slept).toEqual([])
  for (let call = 0; call < 3; call += 1) await bucket.take()
  expect(clock.slept).toEqual([50, 100, 150])
})

test('rest fills the bucket up to the burst and no further', async () => {
  const clock = pacedClock()
  const bucket = bucketOn(clock)
  for (let call = 0; call < 40; call += 1) await bucket.take()
  clock.at += 3600_000
  for (let call = 0; call < 40; call += 1) await bucket.take()
  expect(clock.slept).toEqual([])
  await bucket.take()
  expect(clock.slept).toEqual([50])
})

test('when the cluster asks for rest, no call leaves before', async () => {
  const clock = pacedClock()
  const bucket = bucketOn(clock)
  bucket.pause(2000)
  await bucket.take()
  expect(clock.slept).toEqual([2000])
})

test('after the rest the calls leave one by one and not in a burst', async () => {
  const clock = pacedClock()
  const bucket = bucketOn(clock)
  bucket.pause(2000)
  for (let call = 0; call < 3; call += 1) await bucket.take()
  expect(clock.slept).toEqual([2000, 2050, 2100])
})

test('a call that was waiting already rests as well', async () => {
  const clock = pacedClock()
  const bucket = bucketOn(clock)
  for (let call = 0; call < 40; call += 1) await bucket.take()
  const waiting = bucket.take()
  bucket.pause(2000)
  await waiting
  expect(clock.slept).toEqual([50, 2000])
})
