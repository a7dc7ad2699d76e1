import { expect, test } from 'vitest'
import { type Change } from '../model/change.ts'
import { type Position } from '../model/cursor.ts'
import { RecentChanges } from './recent-changes.ts'
import { type Page } from './tail.ts'

const at = (id: number): Position => ({ xid: 7n, id: BigInt(id) })
const anything = (): boolean => true
const only =
  (objectId: string) =>
  (change: Change): boolean =>
    change.objectId === objectId

/** Returns a page of changes with these ids; each object has the id of its change. */
function pageOf(ids: readonly number[], { upTo = ids.at(-1) ?? 0, gap = false } = {}): Page {
  const changes = ids.map((id) => ({
    at: at(id),
    change: {
      cursor: String(id),
      tenantId: null,
      kind: 'vm' as const,
      objectId: String(id),
      version: 1,
      isCreation: true,
    },
  }))
  return { changes, position: at(upTo), more: false, gap, heldMs: 0 }
}

function recentOf(limit: number, ...pages: Page[]): RecentChanges {
  const recent = new RecentChanges(limit)
  for (const page of pages) recent.add(page)
  return recent
}

test('an empty history reports that changes may have been missed', () => {
  expect(recentOf(4).mayContain(at(1), anything)).toBe(true)
})

test('the first page sets the start, and earlier positions may have missed changes', () => {
  const recent = recentOf(4, pageOf([], { upTo: 5 }))
  expect(recent.mayContain(at(4), anything)).toBe(true)
  expect(recent.mayContain(at(5), anything)).toBe(false)
})

test('a change was missed only when it is after the position and matches', () => {
  const recent = recentOf(4, pageOf([], { upTo: 5 }), pageOf([6, 7]), pageOf([8]))
  expect(recent.mayContain(at(5), only('6'))).toBe(true)
  expect(recent.mayContain(at(6), only('6'))).toBe(false)
  expect(recent.mayContain(at(6), only('8'))).toBe(true)
  expect(recent.mayContain(at(8), anything)).toBe(false)
  expect(recent.mayContain(at(5), only('nothing'))).toBe(false)
})

test('an evicted change counts as possibly missed', () => {
  const pages = Array.from({ length: 20 }, (_, index) => pageOf([index + 6]))
  const recent = recentOf(4, pageOf([], { upTo: 5 }), ...pages)
  const nothing = only('nothing')
  expect(recent.mayContain(at(5), nothing)).toBe(true)
  // The last four changes are always retained.
  expect(recent.mayContain(at(21), nothing)).toBe(false)
  expect(recent.mayContain(at(21), only('22'))).toBe(true)
  const [oldestRetained] = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21].filter(
    (id) => !recent.mayContain(at(id), nothing),
  )
  expect(recent.mayContain(at(oldestRetained ?? 0), only(String((oldestRetained ?? 0) + 1)))).toBe(
    true,
  )
})

test('a gap clears the history', () => {
  const recent = recentOf(
    4,
    pageOf([], { upTo: 5 }),
    pageOf([6]),
    pageOf([], { upTo: 30, gap: true }),
  )
  expect(recent.mayContain(at(6), only('nothing'))).toBe(true)
  expect(recent.mayContain(at(30), anything)).toBe(false)
})
