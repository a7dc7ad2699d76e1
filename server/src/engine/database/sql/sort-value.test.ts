import { expect, test } from 'vitest'
import { type SortType, sortValueChecks } from './sort-value.ts'

const id = '6f0b1c1e-9d51-4c5b-8f0e-2f4f0c6c7a10'
const moment = '2026-01-31T12:00:00.123456Z'

test.each<{ type: SortType; valid: unknown; invalid: unknown[] }>([
  { type: 'text', valid: 'web', invalid: [1, null, 'a\0b', ['web']] },
  { type: 'uuid', valid: id, invalid: ['web', `${id}0`, null] },
  { type: 'int', valid: 1024, invalid: ['1024', 1.5, 2 ** 31, null] },
  { type: 'boolean', valid: false, invalid: ['false', 0, null] },
  { type: 'inet', valid: '10.0.0.9', invalid: ['10.0.0', 'web', null] },
  { type: 'timestamptz', valid: moment, invalid: ['web', '2026-02-30T12:00:00Z', 1, null] },
])(
  'a cursor holds only values of $type where a list is sorted by it',
  ({ type, valid, invalid }) => {
    expect(sortValueChecks[type](valid)).toBe(true)
    for (const value of invalid) expect(sortValueChecks[type](value)).toBe(false)
  },
)
