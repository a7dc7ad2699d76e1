import { expect, test } from 'vitest'
import { fakeList } from './fake-list.ts'
import { type Connection, Pages } from './pages.ts'

function aList(rows: number[]) {
  const { reading, settle, step } = fakeList(rows)
  const pages = new Pages<{ rows: Connection<number> }, number>()
  pages.begin(reading)
  settle()
  return { pages, rows, settle, step, shown: () => pages.found.value.flatMap((page) => page.nodes) }
}

test('loading more adds a page and repeats no row', () => {
  const { pages, settle, shown } = aList([10, 20, 30, 40, 50])
  expect(shown()).toEqual([10, 20])
  pages.loadMore()
  settle()
  pages.loadMore()
  settle()
  expect(shown()).toEqual([10, 20, 30, 40, 50])
})

test('a new row in an earlier page pushes no other row out of the list', () => {
  const { pages, rows, settle, shown } = aList([10, 20, 30, 40, 50, 60])
  pages.loadMore()
  settle()
  pages.loadMore()
  settle()
  rows.unshift(5)
  pages.refetch()
  settle()
  expect(shown()).toEqual([5, 10, 20, 30, 40, 50])
})

test('the old rows stay on screen while pages are fetched again', () => {
  const { pages, rows, step, shown } = aList([10, 20, 30, 40])
  pages.loadMore()
  step()
  rows.unshift(5)
  pages.refetch()
  step()
  expect(shown()).toHaveLength(4)
})

test('pages out of view are fetched again only when they come into view', () => {
  const { pages, rows, settle, shown } = aList([10, 20, 30, 40, 50, 60])
  pages.show(0, 5)
  settle()
  expect(shown()).toEqual([10, 20, 30, 40, 50, 60])
  pages.show(0, 1)
  rows.splice(2, 1, 31)
  pages.refetch()
  settle()
  expect(shown()).toEqual([10, 20, 30, 40, 50, 60])
  pages.show(2, 3)
  settle()
  expect(shown()).toEqual([10, 20, 31, 40, 50, 60])
})

test('a shorter first page shifts the rows of all later pages', () => {
  const { reading, requests, settle } = fakeList([10, 20, 30, 40, 50, 60, 70])
  const pages = new Pages<{ rows: Connection<number> }, number>()
  pages.begin({ ...reading, head: 1 })
  settle()
  expect(requests.map(({ first }) => first)).toEqual([1])
  pages.show(0, 3)
  settle()
  expect(requests.map(({ first }) => first)).toEqual([1, 2, 2])
  expect(pages.found.value.map(({ nodes }) => nodes)).toEqual([[10], [20, 30], [40, 50]])
  pages.show(4, 4)
  pages.refetch()
  settle()
  expect(requests.slice(3).map(({ after }) => after)).toEqual([null, '30'])
})

test('a prefetched page is drawn at once and fetched afterwards, unless the list is closed by then', () => {
  const frames: (() => void)[] = []
  globalThis.requestAnimationFrame = (callback) => frames.push(() => callback(0))
  const draw = () => frames.splice(0).forEach((callback) => callback())
  for (const isClosed of [false, true]) {
    const { reading, settle, requests } = fakeList([10, 20, 30])
    const pages = new Pages<{ rows: Connection<number> }, number>()
    const prefetched = {
      rows: { nodes: [1, 2], totalCount: 3, pageInfo: { endCursor: '2', hasNextPage: true } },
    }
    pages.begin({ ...reading, prefetched })
    const shown = () => pages.found.value.flatMap((page) => page.nodes)
    expect(shown()).toEqual([1, 2])
    if (isClosed) pages.close()
    draw()
    draw()
    settle()
    expect(shown()).toEqual(isClosed ? [1, 2] : [10, 20])
    expect(requests).toHaveLength(isClosed ? 0 : 1)
  }
})
