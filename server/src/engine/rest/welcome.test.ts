import { expect, test } from 'vitest'
import { isWelcome } from './welcome.ts'

const json = ['application/json']
const cases: readonly [
  accept: string | undefined,
  types: readonly string[],
  welcome: boolean,
  because: string,
][] = [
  [undefined, json, true, 'nobody has to say'],
  ['', json, true, 'nothing is said'],
  ['nonsense', json, true, 'it names no type'],
  ['*/*', json, true, 'anything will do'],
  ['application/json, text/plain, */*', json, true, 'so do clients of the older interface'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', json, true, 'so do browsers'],
  ['application/*', json, true, 'a range fits'],
  ['APPLICATION/JSON; q=0.1', json, true, 'case and weight do not matter'],
  ['text/html', json, false, 'something else is wanted'],
  ['text/*;q=1', json, false, 'another range is wanted'],
  ['application/json;q=0', json, false, 'it is excluded by name'],
  ['application/json;q=0, */*', json, false, 'the more exact range counts'],
  ['*/*;q=0, application/json', json, true, 'the more exact range counts'],
  ['text/plain', ['text/plain', 'application/json'], true, 'one of two fits'],
]

test.each(cases)('Accept: %s for %j is welcome: %s, because %s', (accept, types, welcome) => {
  expect(isWelcome(accept, types)).toBe(welcome)
})
