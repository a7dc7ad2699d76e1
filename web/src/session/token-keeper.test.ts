import { expect, test } from 'vitest'
import { FakeClock } from '../runtime/fake-clock.ts'
import { type Renewal, createTokenKeeper } from './token-keeper.ts'

function aKeeper(...answers: (Renewal | Error)[]) {
  const clock = new FakeClock()
  const seen = { renewals: 0, gone: 0 }
  const keeper = createTokenKeeper({
    clock,
    onGone: () => (seen.gone += 1),
    fetchGrant: () => {
      const answer = answers[seen.renewals++] ?? new TypeError('nothing more was expected')
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)
    },
  })
  const grant = (accessToken: string, livesMs: number) => ({
    accessToken,
    expiresAt: new Date(clock.now() + livesMs).toISOString(),
  })
  return { clock, keeper, seen, grant }
}
const later = { accessToken: 'later', expiresAt: new Date(1_000_000 + 1_200_000).toISOString() }

test('a fresh token is used as it is', async () => {
  const { keeper, seen, grant } = aKeeper()
  keeper.adopt(grant('first', 600_000))
  expect(await keeper.token()).toBe('first')
  expect(seen.renewals).toBe(0)
})

test('a token is renewed before it ends, once for all who ask', async () => {
  const { clock, keeper, seen, grant } = aKeeper(later)
  keeper.adopt(grant('first', 600_000))
  clock.pass(571_000)
  expect(await Promise.all([keeper.token(), keeper.token(), keeper.token()])).toEqual([
    'later',
    'later',
    'later',
  ])
  expect(seen.renewals).toBe(1)
})

test('while the network is away, a token that is still good is still used', async () => {
  const { clock, keeper, grant } = aKeeper(new TypeError('offline'))
  keeper.adopt(grant('first', 600_000))
  clock.pass(580_000)
  expect(await keeper.token()).toBe('first')
})

test('an ended token and no network is a failure, not a logout', async () => {
  const { clock, keeper, seen, grant } = aKeeper(new TypeError('offline'))
  keeper.adopt(grant('first', 600_000))
  clock.pass(600_000)
  await expect(keeper.token()).rejects.toThrow('offline')
  expect(seen.gone).toBe(0)
})

test('only the server ends a session', async () => {
  const { keeper, seen } = aKeeper('gone')
  expect(await keeper.token()).toBeNull()
  expect(seen.gone).toBe(1)
})

test('after a failed renewal the next one tries anew', async () => {
  const { keeper, seen } = aKeeper(new TypeError('offline'), later)
  await expect(keeper.token()).rejects.toThrow('offline')
  expect(await keeper.token()).toBe('later')
  expect(seen.renewals).toBe(2)
})
