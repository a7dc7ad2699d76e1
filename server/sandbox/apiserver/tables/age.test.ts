import { expect, test } from 'vitest'
import { duration } from './age.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

test.each([
  { ms: -90 * second, shown: '<invalid>', because: 'the clocks differ by more than a second' },
  { ms: -second, shown: '0s', because: 'a second in the future counts as now' },
  { ms: 119 * second, shown: '119s', because: 'two minutes are counted in seconds' },
  { ms: 2 * minute, shown: '2m', because: 'there are no seconds left' },
  { ms: 9 * minute + 5 * second, shown: '9m5s', because: 'few minutes include seconds' },
  { ms: 179 * minute, shown: '179m', because: 'three hours are counted in minutes' },
  { ms: 7 * hour + 3 * minute, shown: '7h3m', because: 'few hours include minutes' },
  { ms: 47 * hour, shown: '47h', because: 'two days are counted in hours' },
  { ms: 3 * day + 4 * hour, shown: '3d4h', because: 'few days include hours' },
  { ms: 400 * day, shown: '400d', because: 'two years are counted in days' },
  { ms: 3 * 365 * day + 5 * day, shown: '3y5d', because: 'few years include days' },
  { ms: 9 * 365 * day + 5 * day, shown: '9y', because: 'many years omit days' },
])('a duration of $ms ms is shown as $shown: $because', ({ ms, shown }) => {
  expect(duration(ms)).toBe(shown)
})
