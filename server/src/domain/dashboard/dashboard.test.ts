import { expect, test } from 'vitest'
import { healthOf } from './dashboard.ts'

test.each([
  { failed: 0, changing: 0, is: 'ok', because: 'no VM failed or changes' },
  { failed: 0, changing: 2, is: 'warning', because: 'a changing VM may fail' },
  { failed: 1, changing: 0, is: 'critical', because: 'a failed VM needs attention' },
  { failed: 1, changing: 3, is: 'critical', because: 'the worst state counts' },
])(
  'a tenant with $failed failed and $changing changing VMs is $is: $because',
  ({ failed, changing, is }) => {
    expect(healthOf({ vmsFailed: failed, vmsChanging: changing })).toBe(is)
  },
)
