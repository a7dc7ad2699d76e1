import { expect, test } from 'vitest'
import { differsFromRow } from './row-difference.ts'

const explanation = { code: 'unschedulable', cause: 'No room.', since: null }

test.each([
  {
    because: 'the observed values are the same',
    row: { state: 'Error', explanation },
    news: false,
  },
  {
    because: 'the order of keys in stored JSON does not count',
    row: { state: 'Error', explanation: { since: null, cause: 'No room.', code: 'unschedulable' } },
    news: false,
  },
  {
    because: 'the explanation has another cause',
    row: { state: 'Error', explanation: { ...explanation, cause: 'No memory.' } },
    news: true,
  },
  {
    because: 'the row has no explanation',
    row: { state: 'Error', explanation: undefined },
    news: true,
  },
  { because: 'the state differs', row: { state: 'Running', explanation }, news: true },
])('isNews returns $news when $because', ({ row, news }) => {
  expect(differsFromRow(row, { state: 'Error', explanation })).toBe(news)
})

test('isNews treats an undefined field of the row as null', () => {
  expect(differsFromRow({ ip: undefined }, { ip: null })).toBe(false)
})
