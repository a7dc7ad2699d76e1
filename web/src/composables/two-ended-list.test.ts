import { expect, test } from 'vitest'
import { TwoEndedList } from './two-ended-list.ts'
import { fakeList } from './fake-list.ts'
import type { Connection } from './pages.ts'

function aLongList(rows: number[]) {
  const { reading, settle, requests } = fakeList(rows)
  const list = new TwoEndedList<{ rows: Connection<number> }, number>()
  const begin = () => {
    list.begin({ reading, opposite: { ...reading, variables: { reversed: true } } })
    settle()
  }
  begin()
  const show = (first: number, last: number) => {
    list.show(first, last)
    settle()
  }
  const shown = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => list.rows.value[first + at])
  return { list, rows, requests, settle, begin, show, shown }
}
const tenTo = (most: number) => Array.from({ length: most }, (_, at) => 10 * (at + 1))

test('the end of a long list is loaded with one page, without the rows between', () => {
  const { show, shown, requests, list } = aLongList(tenTo(1000))
  requests.length = 0
  show(998, 999)
  expect(shown(997, 999)).toEqual([undefined, 9_990, 10_000])
  expect(requests).toHaveLength(1)
  expect(list.rows.value.filter(() => true)).toEqual([10, 20, 9_990, 10_000])
})

test('any position is loaded from the nearer end, and every row has its right index', () => {
  const { show, shown, requests } = aLongList(tenTo(100))
  for (const first of [90, 60, 51, 40, 0, 99, 48]) show(first, Math.min(99, first + 3))
  for (const first of [90, 60, 51, 40, 0, 48])
    expect(shown(first, first + 1)).toEqual([10 * (first + 1), 10 * (first + 2)])
  expect(requests.length).toBeLessThanOrEqual(60)
})

test('rows added and removed while the end is in view keep every row at its right index', () => {
  const { rows, show, shown, list, settle } = aLongList(tenTo(50))
  show(46, 49)
  rows.push(505)
  rows.shift()
  rows.shift()
  list.refetch()
  settle()
  expect(shown(0, 1)).toEqual([30, 40])
  expect(shown(47, 48)).toEqual([500, 505])
})

test('a restarted list forgets the rows of its end', () => {
  const { rows, show, shown, begin } = aLongList(tenTo(50))
  show(48, 49)
  rows.splice(0, 40)
  begin()
  expect(shown(0, 9)).toEqual([410, 420, ...Array.from({ length: 8 })])
  show(8, 9)
  expect(shown(8, 9)).toEqual([490, 500])
})
