import { expect, test } from 'vitest'
import { numberOf } from './quantity.ts'

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
