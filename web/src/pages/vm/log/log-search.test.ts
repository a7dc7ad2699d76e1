import { expect, test } from 'vitest'
import { ref } from 'vue'
import { piecesOf, useLogSearch } from './log-search.ts'

test.each([
  ['', 'boot', [['', false]]],
  ['Boot, then boot', '', [['Boot, then boot', false]]],
  [
    'Boot, then boot',
    'boot',
    [
      ['Boot', true],
      [', then ', false],
      ['boot', true],
    ],
  ],
  [
    'aaa',
    'aa',
    [
      ['aa', true],
      ['a', false],
    ],
  ],
  ['nothing here', 'boot', [['nothing here', false]]],
  // The lower case of the first letter has two characters, so the whole line is marked.
  ['İ boot', 'boot', [['İ boot', true]]],
] as const)('the line %j is split at each match of %j', (text, query, pieces) => {
  expect(piecesOf(text, query).map((piece) => [piece.text, piece.isHit])).toEqual(pieces)
})

test('the search cycles through the matching lines and restarts when its text changes', () => {
  const lines = ref(['one boot', 'two', 'three Boot', 'four'])
  const { search, hits, line, at, go } = useLogSearch(lines)
  expect([hits.value, line.value]).toEqual([[], null])
  go(1)
  expect(at.value).toBe(0)
  search.value = ' BOOT '
  expect([hits.value, line.value]).toEqual([[0, 2], 0])
  go(1)
  expect(line.value).toBe(2)
  go(1)
  expect(line.value).toBe(0)
  go(-1)
  expect(line.value).toBe(2)
  search.value = 'o'
  expect(line.value).toBe(0)
  // New lines are searched too, and the current match stays.
  go(1)
  lines.value = [...lines.value, 'more']
  expect([hits.value, line.value]).toEqual([[0, 1, 2, 3, 4], 1])
})
