import { expect, test } from 'vitest'
import { isNews } from './news.ts'

const explanation = { code: 'unschedulable', cause: 'No room.', since: null }

test.each([
  { because: 'nothing else was seen', row: { state: 'Error', explanation }, news: false },
  {
    because: 'the database keeps the parts in an order of its own',
    row: { state: 'Error', explanation: { since: null, cause: 'No room.', code: 'unschedulable' } },
    news: false,
  },
  {
    because: 'the words are others',
    row: { state: 'Error', explanation: { ...explanation, cause: 'No memory.' } },
    news: true,
  },
  {
    because: 'there was nothing to explain',
    row: { state: 'Error', explanation: undefined },
    news: true,
  },
  { because: 'the state is another', row: { state: 'Running', explanation }, news: true },
])('what was found is news: $news, because $because', ({ row, news }) => {
  expect(isNews(row, { state: 'Error', explanation })).toBe(news)
})

test('what a row does not have yet and what was not found are the same', () => {
  expect(isNews({ ip: undefined }, { ip: null })).toBe(false)
})
