import { expect, test } from 'vitest'
import { FakeClock } from '../runtime/fake-clock.ts'
import { type Renewal, createTokenKeeper } from './token-keeper.ts'

function aKeeper(...answers: (Renewal | Error)[]) {
  const clock = new FakeClock()
  const calls = { renewals: 0, gone: 0 }
  const keeper = createTokenKeeper({
    clock,
    onGone: () => (calls.gone += 1),
    fetchGrant: () => {
      const answer =
        answers[calls.renewals++] ?? new TypeError('An unexpected renewal was requested.')
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
  })
  const grant = (accessToken: string, lifetimeMs: number) => ({
    accessToken,
    expiresAt: new Date(clock.now() + lifetimeMs).toISOString(),
  })
  return { clock, keeper, calls, grant }
}
const later = { accessToken: 'later', expiresAt: new Date(1_000_000 + 1_200_000).toISOString() }

test('a fresh token is used without a renewal', async () => {
  const { keeper, calls, grant } = aKeeper()
  keeper.adopt(grant('first', 600_000))
  expect(await keeper.token()).toBe('first')
  expect(calls.renewals).toBe(0)
})

test('a token is renewed before it expires, once for all concurrent callers', async () => {
  const { clock, keeper, calls, grant } = aKeeper(later)
  keeper.adopt(grant('first', 600_000))
  clock.pass(571_000)
  expect(await Promise.all([keeper.token(), keeper.token(), keeper.token()])).toEqual([
    'later',
    'later',
    'later',
  ])
  expect(calls.renewals).toBe(1)
})

test('a valid token is still used while the network is down', async () => {
  const { clock, keeper, grant } = aKeeper(new TypeError('offline'))
  keeper.adopt(grant('first', 600_000))
  clock.pass(580_000)
  expect(await keeper.token()).toBe('first')
})

test('an expired token without a network is a failure, not a logout', async () => {
  const { clock, keeper, calls, grant } = aKeeper(new TypeError('offline'))
  keeper.adopt(grant('first', 600_000))
  clock.pass(600_000)
  await expect(keeper.token()).rejects.toThrow('offline')
  expect(calls.gone).toBe(0)
})

test('a session ends only when the server says so', async () => {
  const { keeper, calls } = aKeeper('gone')
  expect(await keeper.token()).toBeNull()
  expect(calls.gone).toBe(1)
})

test('a failed renewal is retried by the next call', async () => {
  const { keeper, calls } = aKeeper(new TypeError('offline'), later)
  await expect(keeper.token()).rejects.toThrow('offline')
  expect(await keeper.token()).toBe('later')
  expect(calls.renewals).toBe(2)
})
