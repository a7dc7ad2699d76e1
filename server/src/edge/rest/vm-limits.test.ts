import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { maxNetworks as networksOfVm } from '../../domain/nic/rules.ts'
import { requireGroupIds } from '../../domain/security-group/rules.ts'
import { requireSize } from '../../domain/service-offering/rules.ts'
import { requireTags } from '../../domain/vm/rules.ts'
import {
  limitedCpu,
  limitedMemoryMi,
  limitedTags,
  maxNetworks,
  maxSecurityGroups,
} from './vm-limits.ts'
import { newVm, vmChange } from './vm/vm-shape.ts'

const tags = (count: number): string[] => Array.from({ length: count }, (_, at) => `tag-${at}`)
const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID())

test.each<{ of: string; limit: number; check: (value: number) => unknown }>([
  { of: 'CPUs', limit: limitedCpu.maximum, check: (value) => requireSize('cpu', value) },
  {
    of: 'memory',
    limit: limitedMemoryMi.maximum,
    check: (value) => requireSize('memoryMi', value),
  },
  { of: 'tags', limit: limitedTags.maxItems, check: (value) => requireTags(tags(value)) },
  {
    of: 'security groups',
    limit: maxSecurityGroups,
    check: (value) => requireGroupIds(ids(value), 'ids'),
  },
])('the limit of $of in the REST schema is that of the domain', ({ limit, check }) => {
  expect(() => check(limit)).not.toThrow()
  expect(() => check(limit + 1)).toThrow(`at most ${limit}`)
})

test('the limit of networks in the REST schema is that of the domain', () => {
  expect(maxNetworks).toBe(networksOfVm)
})

test.each([
  { field: 'cpu', value: 4_000_000_000, most: 1024 },
  { field: 'memory_mi', value: 4_000_000_000, most: 16_777_216 },
  { field: 'tags', value: tags(200), most: 50 },
  { field: 'security_group_ids', value: ids(200), most: 10 },
])('$field far beyond its limit is refused with $most', ({ field, value, most }) => {
  const body = { name: 'web', [field]: value }
  const problem = { path: field, message: expect.objectContaining({ params: { most } }) }
  expect(newVm.problems(body)).toEqual([problem])
  if (field !== 'security_group_ids')
    expect(vmChange.problems({ [field]: value })).toEqual([problem])
})
