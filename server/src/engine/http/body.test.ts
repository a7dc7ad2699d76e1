import { expect, test } from 'vitest'
import { parseBody } from './body.ts'

const json = { 'content-type': 'application/json' }

test('a body may begin with a byte order mark', () => {
  expect(parseBody('\uFEFF{"a":1}', json)).toEqual({ a: 1 })
})

test.each([
  { because: 'it has no type', headers: {}, key: 'request.body_not_json' },
  { because: 'it is declared as JSON', headers: json, key: 'request.body_not_json' },
  {
    because: 'another type is declared',
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    key: 'request.body_of_other_type',
  },
  {
    because: 'it is packed',
    headers: { ...json, 'content-encoding': 'gzip' },
    key: 'request.body_encoded',
  },
])('a body that is not JSON is refused with $key when $because', ({ headers, key }) => {
  expect(() => parseBody('packed', headers)).toThrow(
    expect.objectContaining({ userMessage: expect.objectContaining({ key }) }),
  )
})
