import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from '../runtime/clock.ts'
import { forgetEarly, takeAnswer, takeRenewal } from './early.ts'

const begin = (answer: Promise<string | undefined>) => {
  globalThis.berthEarly = {
    renewal: Promise.resolve(new Response('{}')),
    answers: new Map([['asked', answer]]),
  }
}
afterEach(forgetEarly)

test('an answer that was begun early is given to who would ask the same, once', async () => {
  begin(Promise.resolve('known'))
  expect(await takeAnswer('something else')).toBeNull()
  expect(await (await takeAnswer('asked'))?.text()).toBe('known')
  expect(await takeAnswer('asked')).toBeNull()
})

test.each([
  ['a refusal', () => Promise.resolve('')],
  ['no answer', () => Promise.reject(new TypeError('away'))],
])('%s is asked for again', async (_, answer) => {
  begin(answer())
  expect(await takeAnswer('asked')).toBeNull()
})

test('what was begun for one tenant is nothing to another', async () => {
  begin(Promise.resolve('of the former tenant'))
  forgetEarly()
  expect(await takeAnswer('asked')).toBeNull()
})

test('what is asked for long after the page was opened is asked for again', async () => {
  begin(Promise.resolve('known'))
  const late = systemClock.now() + 10_000
  using _ = vi.spyOn(systemClock, 'now').mockReturnValue(late)
  expect(await takeAnswer('asked')).toBeNull()
})

test('the first renewal is taken over once', () => {
  begin(Promise.resolve('known'))
  expect(takeRenewal()).toBeInstanceOf(Promise)
  expect(takeRenewal()).toBeUndefined()
})

test('what has come is known at once to who asks just this, and is left for who asks properly', async () => {
  const known = async (text: string) => {
    vi.resetModules()
    const body = JSON.stringify({
      operationName: 'Viewer',
      query: 'query Viewer { viewer { id } }',
      variables: {},
    })
    globalThis.berthEarly = { answers: new Map([[body, Promise.resolve(text)]]) }
    const [early, { viewerDocument }, clock] = await Promise.all([
      import('./early.ts'),
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
  expect(await early.takeAnswer(body)).not.toBeNull()
  expect(prefetchedAnswer(viewerDocument, {})).toBeNull()
  const refused = await known('{"data":{"changeCursor":"7"},"errors":[{"message":"no"}]}')
  expect(refused.prefetchedAnswer(refused.viewerDocument, {})).toBeNull()
  const old = await known('{"data":{"changeCursor":"7"}}')
  vi.spyOn(old.clock, 'now').mockReturnValue(old.clock.now() + 10_000)
  expect(old.prefetchedAnswer(old.viewerDocument, {})).toBeNull()
})
