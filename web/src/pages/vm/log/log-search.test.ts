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
  // In lower case the first letter is two, so the whole line is marked.
  ['İ boot', 'boot', [['İ boot', true]]],
] as const)('%j is taken apart where %j stands', (text, words, pieces) => {
  expect(piecesOf(text, words).map((piece) => [piece.text, piece.isHit])).toEqual(pieces)
})

test('goes around the lines that have the words, and begins anew with other words', () => {
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
  // What comes later is found as well, and the place stays.
  go(1)
  lines.value = [...lines.value, 'more']
  expect([hits.value, line.value]).toEqual([[0, 1, 2, 3, 4], 1])
})
