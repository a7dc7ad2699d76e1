import { afterEach, expect, test } from 'vitest'
import { forgetEarly, takeAnswer, takeRenewal } from './early.ts'

const begin = (answer: Promise<string | undefined>) => {
  globalThis.berthEarly = { renewal: Promise.resolve(new Response('{}')), answers: new Map([['asked', answer]]) }
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

test('the first renewal is taken over once', () => {
  begin(Promise.resolve('known'))
  expect(takeRenewal()).toBeInstanceOf(Promise)
  expect(takeRenewal()).toBeUndefined()
})
