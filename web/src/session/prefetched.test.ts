import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from '../runtime/clock.ts'
import { discardPrefetched, takePrefetchedAnswer, takePrefetchedRenewal } from './prefetched.ts'

const begin = (answer: Promise<string | undefined>) => {
  globalThis.berthPrefetched = {
    renewal: Promise.resolve(new Response('{}')),
    answers: new Map([['request', answer]]),
  }
}
afterEach(discardPrefetched)

test('a prefetched answer is used once, by the same request only', async () => {
  begin(Promise.resolve('known'))
  expect(await takePrefetchedAnswer('another request')).toBeNull()
  expect(await (await takePrefetchedAnswer('request'))?.text()).toBe('known')
  expect(await takePrefetchedAnswer('request')).toBeNull()
})

test.each([
  ['a refusal', () => Promise.resolve('')],
  ['no answer', () => Promise.reject(new TypeError('away'))],
])('a request is sent again after %s', async (_, answer) => {
  begin(answer())
  expect(await takePrefetchedAnswer('request')).toBeNull()
})

test('a change of tenant discards the prefetched answers', async () => {
  begin(Promise.resolve('of the former tenant'))
  discardPrefetched()
  expect(await takePrefetchedAnswer('request')).toBeNull()
})

test('a prefetched answer expires after the page has opened', async () => {
  begin(Promise.resolve('known'))
  const late = systemClock.now() + 10_000
  using _ = vi.spyOn(systemClock, 'now').mockReturnValue(late)
  expect(await takePrefetchedAnswer('request')).toBeNull()
})

test('the prefetched renewal is used once', () => {
  begin(Promise.resolve('known'))
  expect(takePrefetchedRenewal()).toBeInstanceOf(Promise)
  expect(takePrefetchedRenewal()).toBeUndefined()
})

test('an arrived answer is readable at once and stays available to the real request', async () => {
  const known = async (text: string) => {
    vi.resetModules()
    const body = JSON.stringify({
      operationName: 'Viewer',
      query: 'query Viewer { viewer { id } }',
      variables: {},
    })
    globalThis.berthPrefetched = { answers: new Map([[body, Promise.resolve(text)]]) }
    const [early, { viewerDocument }, clock] = await Promise.all([
      import('./prefetched.ts'),
      import('../api/viewer.ts'),
      import('../runtime/clock.ts'),
    ])
    return { ...early, body, viewerDocument, clock: clock.systemClock }
  }
  const { prefetchedAnswer, body, viewerDocument, ...early } = await known(
    '{"data":{"changeCursor":"7"}}',
  )
  expect(prefetchedAnswer(viewerDocument, {})).toEqual({ changeCursor: '7' })
  expect(prefetchedAnswer(viewerDocument, { first: 1 })).toBeNull()
  expect(await early.takePrefetchedAnswer(body)).not.toBeNull()
  expect(prefetchedAnswer(viewerDocument, {})).toBeNull()
  const refused = await known('{"data":{"changeCursor":"7"},"errors":[{"message":"no"}]}')
  expect(refused.prefetchedAnswer(refused.viewerDocument, {})).toBeNull()
  const old = await known('{"data":{"changeCursor":"7"}}')
  vi.spyOn(old.clock, 'now').mockReturnValue(old.clock.now() + 10_000)
  expect(old.prefetchedAnswer(old.viewerDocument, {})).toBeNull()
})
