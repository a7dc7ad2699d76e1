import { expect, test } from 'vitest'
import { SortedKeys } from './sorted-keys.ts'

/** Each number once, in an order that jumps about. */
const jumping = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index % 3}/${(index * 7_919) % count}`)

test('keys that come and go in any order are told in order, all of them and those of a prefix', () => {
  const keys = new SortedKeys()
  const there = new Set<string>()
  for (const key of [...jumping(4_000), ...jumping(4_000)]) {
    keys.add(key)
    there.add(key)
  }
  for (const key of [...jumping(4_000).filter((_, index) => index % 5 > 0), 'never there']) {
    keys.remove(key)
    there.delete(key)
  }
  const sorted = [...there].sort()
  expect(sorted.length).toBe(800)
  expect(keys.withPrefix('')).toEqual(sorted)
  for (const prefix of ['0/', '1/', '1/39', '2/', '3/', '-'])
    expect(keys.withPrefix(prefix)).toEqual(sorted.filter((key) => key.startsWith(prefix)))
  for (const key of sorted) keys.remove(key)
  expect(keys.withPrefix('')).toEqual([])
  keys.add('again')
  expect(keys.withPrefix('a')).toEqual(['again'])
})
