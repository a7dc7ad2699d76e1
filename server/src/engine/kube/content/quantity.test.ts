import { expect, test } from 'vitest'
import { bytesFrom, numberFrom } from './quantity.ts'

test.each([
  ['2276332667', 2_276_332_667],
  ['2Gi', 2 ** 31],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['3G', 3e9],
  ['1e9', 1e9],
  ['512Mi', 2 ** 29],
  ['0', 0],
  ['1500m', 2],
  ['', null],
  [null, null],
  ['Gi', null],
  ['2Xi', null],
  ['-1Gi', null],
])('the quantity %s is %s bytes', (quantity, bytes) => {
  expect(bytesFrom(quantity)).toBe(bytes)
})

test.each([
  ['128', 128],
  ['3920m', 3.92],
  ['0.5', 0.5],
  ['1k', 1000],
  [null, null],
  ['many', null],
])('the quantity %s is %s cores', (quantity, cores) => {
  expect(numberFrom(quantity)).toBe(cores)
})
