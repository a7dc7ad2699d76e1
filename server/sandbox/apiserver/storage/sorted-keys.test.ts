import { expect, test } from 'vitest'
import { SortedKeys } from './sorted-keys.ts'

/** Each number once, in a scattered order. */
const scattered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index % 3}/${(index * 7_919) % count}`)

test('keys are listed in order after additions and removals, with and without a prefix', () => {
  const keys = new SortedKeys()
  const expected = new Set<string>()
  for (const key of [...scattered(4_000), ...scattered(4_000)]) {
    keys.add(key)
    expected.add(key)
  }
  for (const key of [...scattered(4_000).filter((_, index) => index % 5 > 0), 'never there']) {
    keys.remove(key)
    expected.delete(key)
  }
  const sorted = [...expected].sort()
  expect(sorted.length).toBe(800)
  expect(keys.withPrefix('')).toEqual(sorted)
  for (const prefix of ['0/', '1/', '1/39', '2/', '3/', '-'])
    expect(keys.withPrefix(prefix)).toEqual(sorted.filter((key) => key.startsWith(prefix)))
  for (const key of sorted) keys.remove(key)
  expect(keys.withPrefix('')).toEqual([])
  keys.add('again')
  expect(keys.withPrefix('a')).toEqual(['again'])
})
