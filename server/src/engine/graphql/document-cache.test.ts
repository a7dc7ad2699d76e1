import { expect, test } from 'vitest'
import { DocumentCache, maxCachedLength } from './document-cache.ts'

test('the cache holds the latest documents up to a number of characters', () => {
  const cache = new DocumentCache<number>()
  const found = (count: number): number[] =>
    Array.from({ length: count }, (_, at) => cache.find(`${at}`) ?? []).flat()
  for (let at = 0; at < 1_000; at++) cache.add(`${at}`, at, maxCachedLength)
  const cached = found(1_000)
  const latest = Array.from({ length: cached.length }, (_, at) => 1_000 - cached.length + at)
  expect(cached).toEqual(latest)
  expect(cached.length * maxCachedLength).toBeLessThanOrEqual(256 * 1024)
  expect(cached.length).toBeGreaterThan(10)
})

test('a document that is used stays in the cache', () => {
  const cache = new DocumentCache<string>()
  for (let at = 0; at < 1_000; at++) {
    cache.get('used', 100, () => `made ${at}`)
    cache.add(`${at}`, 'other', maxCachedLength)
  }
  expect(cache.find('used')).toBe('made 0')
})

test('a document that is too long is made again each time', () => {
  const cache = new DocumentCache<object>()
  const make = (): object => cache.get('long', maxCachedLength + 1, () => ({}))
  expect(make()).not.toBe(make())
})
