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
])('the quantity %s is %s', (quantity, number) => {
  expect(numberOf(quantity)).toBeCloseTo(number, 9)
})

test.each(['', 'Gi', '1 Gi', '1GiB', '0x10', null, '--1'])('%s is no quantity', (quantity) => {
  expect(numberOf(quantity)).toBeNull()
})

test.each([
  ['1024Mi', '1Gi', 'the largest suffix that needs no fraction'],
  ['1.5Gi', '1536Mi', 'a fraction goes down a suffix'],
  ['1000m', '1', 'also in thousands'],
  ['0.1', '100m', 'a fraction of one is told in milli'],
  [2048, '2048', 'a plain number stays in decimal'],
  [5000, '5k', 'whose suffixes are powers of thousand'],
  ['512', '512', 'what has no suffix is decimal'],
  ['0.5Ki', '512', 'less than one Ki has no binary form'],
  ['1e3', '1e3', 'who writes exponents gets exponents'],
  ['-2Gi', '-2Gi', 'the sign stays'],
  ['0Gi', '0', 'nothing has no suffix'],
  ['0.1n', '1n', 'what is finer than a billionth is rounded up'],
  ['lots', 'lots', 'what is no quantity is not ours to change'],
])('%s is written %s, because %s', (quantity, text, _because) => {
  expect(canonical(quantity)).toBe(text)
})
