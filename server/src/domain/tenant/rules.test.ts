import { expect, test } from 'vitest'
import { creationRefusal } from './rules.ts'

test.each([
  {
    state: 'creating',
    refusal: { code: 'tenant_not_ready', isTransient: true, message: /still being created/ },
  },
  {
    state: 'failed',
    refusal: { code: 'tenant_not_ready', isTransient: false, message: /has failed/ },
  },
  {
    state: 'deleting',
    refusal: { code: 'tenant_deleting', isTransient: false, message: /is being deleted/ },
  },
] as const)('nothing can be created in a tenant that is $state', ({ state, refusal }) => {
  expect(creationRefusal({ slug: 'acme', state })).toMatchObject({
    ...refusal,
    message: expect.stringMatching(refusal.message),
  })
})

test('a user can create objects in an active tenant', () => {
  expect(creationRefusal({ slug: 'acme', state: 'active' })).toBeNull()
})
