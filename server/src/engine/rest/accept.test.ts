import { expect, test } from 'vitest'
import { isAcceptable } from './accept.ts'

const json = ['application/json']
const cases: readonly [
  accept: string | undefined,
  types: readonly string[],
  expected: boolean,
  because: string,
][] = [
  [undefined, json, true, 'the header is optional'],
  ['', json, true, 'an empty header has no preference'],
  ['nonsense', json, true, 'it has no valid media type'],
  ['*/*', json, true, 'it accepts every type'],
  ['application/json, text/plain, */*', json, true, 'clients of the older interface send it'],
  [
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    json,
    true,
    'browsers send it',
  ],
  ['application/*', json, true, 'the range includes the type'],
  ['APPLICATION/JSON; q=0.1', json, true, 'case and weight do not matter'],
  ['text/html', json, false, 'it names another type'],
  ['text/*;q=1', json, false, 'it names another range'],
  ['application/json;q=0', json, false, 'q=0 excludes the type'],
  ['application/json;q=0, */*', json, false, 'the most specific range counts'],
  ['*/*;q=0, application/json', json, true, 'the most specific range counts'],
  ['text/plain', ['text/plain', 'application/json'], true, 'it accepts one of the two'],
]

test.each(cases)('the header Accept: %s allows %j: %s, because %s', (accept, types, expected) => {
  expect(isAcceptable(accept, types)).toBe(expected)
})
