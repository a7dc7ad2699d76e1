import { expect, test } from 'vitest'
import { healthOf } from './dashboard.ts'

test.each([
  { failed: 0, changing: 0, is: 'ok', because: 'nothing is to be said' },
  { failed: 0, changing: 2, is: 'warning', because: 'what changes may fail' },
  { failed: 1, changing: 0, is: 'critical', because: 'one that failed needs somebody' },
  { failed: 1, changing: 3, is: 'critical', because: 'the worst counts' },
])('$failed failed and $changing changing VMs are $is: $because', ({ failed, changing, is }) => {
  expect(healthOf({ vmsFailed: failed, vmsChanging: changing })).toBe(is)
})
