import { expect, test } from 'vitest'
import { nounOf, pluralOf } from './type-words.ts'

test.for([
  ['Vm', 'VM', 'VMs'],
  ['SshKey', 'SSH key', 'SSH keys'],
  ['SecurityGroup', 'security group', 'security groups'],
  ['NetworkAddress', 'network address', 'network addresses'],
  ['Session', 'login', 'logins'],
  ['PlatformVm', 'VM', 'VMs'],
] as const)('the type %s is called %s, and its plural is %s', ([type, noun, plural]) => {
  expect([nounOf(type), pluralOf(type)]).toEqual([noun, plural])
})
