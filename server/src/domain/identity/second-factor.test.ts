import { expect, test } from 'vitest'
import { type SecondFactorPolicy, needsSecondFactor } from './second-factor.ts'

const subject = { hasPassword: true, tenantRequiresSecondFactor: false } as const

test.each<{ policy: SecondFactorPolicy; root: boolean; users: boolean }>([
  { policy: 'optional', root: false, users: false },
  { policy: 'root', root: true, users: false },
  { policy: 'everyone', root: true, users: true },
])('the policy $policy requires it of root: $root, of users: $users', ({ policy, root, users }) => {
  expect(needsSecondFactor(policy, { ...subject, role: 'root' })).toBe(root)
  expect(needsSecondFactor(policy, { ...subject, role: 'user' })).toBe(users)
  const strict = { ...subject, tenantRequiresSecondFactor: true }
  expect(needsSecondFactor(policy, { ...strict, role: 'user' })).toBe(true)
  // The identity provider checks a second factor of its users itself.
  expect(needsSecondFactor(policy, { ...strict, role: 'user', hasPassword: false })).toBe(false)
})
