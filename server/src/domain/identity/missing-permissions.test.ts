import { expect, test } from 'vitest'
import { missingPermissions } from './missing-permissions.ts'

test.each([
  { held: ['*'], requested: ['*', '*:read', 'vms:write', 'of a later build'], missing: [] },
  { held: ['*:read'], requested: ['*:read', 'vms:read'], missing: [] },
  { held: ['*:read'], requested: ['*', 'vms:write'], missing: ['*', 'vms:write'] },
  { held: ['vms:read'], requested: ['vms:read', '*:read'], missing: ['*:read'] },
  { held: [], requested: ['vms:read'], missing: ['vms:read'] },
])('a caller with $held who grants $requested lacks $missing', ({ held, requested, missing }) => {
  expect(missingPermissions(new Set(held), requested)).toEqual(missing)
})
