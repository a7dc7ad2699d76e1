import { describe, expect, test } from 'vitest'
import { type Fault } from '../model/fault.ts'
import { type Viewer, anonymous } from '../model/viewer.ts'
import { type RequestContext } from './http.ts'
import { createRequestBudget } from './request-budget.ts'

function aBudget(requests: number, seconds: number) {
  const time = { ms: 0 }
  const budget = createRequestBudget(
    { requests, seconds },
    { elapsedMs: () => time.ms, now: () => new Date(1_000_000 + time.ms) },
  )
  const charge = (
    viewer: Viewer,
    address = '192.0.2.1',
  ): { headers: RequestContext['headers']; refusal: Fault | null } => {
    // The budget reads only these two fields of the context.
    const context = { address, headers: {} } as RequestContext
    try {
      budget.charge(context, viewer)
      return { headers: context.headers, refusal: null }
    } catch (error) {
      return { headers: context.headers, refusal: error as Fault }
    }
  }
  return { charge, wait: (ms: number) => void (time.ms += ms) }
}

const ada: Viewer = { ...anonymous, userId: 'ada', credential: 'token' }

describe('request budget', () => {
  test('a budget refills one request at a time and reports when it is full', () => {
    const { charge, wait } = aBudget(4, 8)
    expect(Array.from({ length: 5 }, () => charge(ada).refusal?.retryAfterSeconds)).toEqual([
      ...Array(4).fill(undefined),
      2,
    ])
    wait(1_000)
    expect(charge(ada).refusal?.retryAfterSeconds).toBe(1)
    wait(1_000)
    const { headers, refusal } = charge(ada)
    expect([refusal, headers['ratelimit'], headers['x-ratelimit-reset']]).toEqual([
      null,
      '"requests";r=0;t=8',
      '1010',
    ])
    wait(60_000)
    expect(charge(ada).headers['ratelimit']).toBe('"requests";r=3;t=2')
  })

  test('a user has one budget for all credentials, and anonymous callers share one per address', () => {
    const { charge } = aBudget(1, 60)
    charge(ada)
    charge(anonymous)
    expect(charge({ ...ada, credential: 'api_key' }, '198.51.100.7').refusal?.code).toBe(
      'too_many_requests',
    )
    expect(charge(anonymous).refusal?.code).toBe('too_many_requests')
    expect(charge(anonymous, '198.51.100.7').refusal).toBeNull()
    expect(charge({ ...ada, userId: 'bob' }).refusal).toBeNull()
  })

  test('a budget evicts the least recent callers', () => {
    const { charge } = aBudget(2, 60)
    charge(anonymous)
    for (let caller = 0; caller < 10_000; caller += 1) charge({ ...ada, userId: `user-${caller}` })
    expect(charge(anonymous).headers['x-ratelimit-remaining']).toBe('1')
  })
})
