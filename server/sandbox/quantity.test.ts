import { expect, test } from 'vitest'
import { canonical, numberOf } from './quantity.ts'

test.each([
  ['500m', 0.5],
  ['2Gi', 2 ** 31],
  ['1.5k', 1500],
  ['1e3', 1000],
  ['2E', 2e18],
  ['.5', 0.5],
  [3, 3],
])('the quantity %s has the value %s', (quantity, number) => {
  expect(numberOf(quantity)).toBeCloseTo(number, 9)
})

test.each(['', 'Gi', '1 Gi', '1GiB', '0x10', null, '--1'])(
  'the text %j is not a quantity',
  (quantity) => {
    expect(numberOf(quantity)).toBeNull()
  },
)

test.each([
  ['1024Mi', '1Gi', 'the largest suffix that needs no fraction'],
  ['1.5Gi', '1536Mi', 'a fraction uses the next smaller suffix'],
  ['1000m', '1', 'decimal suffixes work in the same way'],
  ['0.1', '100m', 'a fraction of one uses milli'],
  [2048, '2048', 'a plain number stays in decimal'],
  [5000, '5k', 'decimal suffixes are powers of a thousand'],
  ['512', '512', 'a number without a suffix is decimal'],
  ['0.5Ki', '512', 'values below one Ki have no binary suffix'],
  ['1e3', '1e3', 'an exponent stays an exponent'],
  ['-2Gi', '-2Gi', 'the sign is preserved'],
  ['0Gi', '0', 'zero has no suffix'],
  ['0.1n', '1n', 'fractions of a billionth are rounded up'],
  ['lots', 'lots', 'other text stays unchanged'],
])('the quantity %s is formatted as %s: %s', (quantity, text, _because) => {
  expect(canonical(quantity)).toBe(text)
})
