import { expect, test } from 'vitest'
import { anonymous } from '../../engine/model/viewer.ts'
import { systemRoles } from './permission.ts'
import { type UserAction, userRefusal } from './rules.ts'

test.each<{ action: UserAction; key: string }>([
  { action: 'update', key: 'access.root_fixed' },
  { action: 'delete', key: 'access.root_fixed' },
  { action: 'resetSecondFactor', key: 'access.root_second_factor' },
])('$action of root is refused with $key', ({ action, key }) => {
  const root = { id: 'root', username: 'root', roleId: systemRoles['platform.root'].id }
  expect(userRefusal(action, root, anonymous)?.userMessage.key).toBe(key)
})
