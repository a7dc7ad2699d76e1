import { expect, test } from 'vitest'
import { isMoment } from './moment.ts'

test.each([
  ['2026-08-17T12:00:00Z', true],
  ['2026-08-17T12:00:00.123456789Z', true],
  ['2024-02-29T23:59:59-03:00', true],
  ['2026-02-29T00:00:00Z', false],
  ['2026-13-01T00:00:00Z', false],
  ['2026-08-00T00:00:00Z', false],
  ['2026-08-17T24:00:00Z', false],
  ['2026-08-17', false],
  ['2026-08-17 12:00:00Z', false],
  ['2026-08-17T12:00:00', false],
  ['0000-01-01T00:00:00Z', false],
  ['yesterday', false],
  ['', false],
])('isMoment tells that %j is RFC 3339: %j', (text, isOne) => {
  expect(isMoment(text)).toBe(isOne)
})
