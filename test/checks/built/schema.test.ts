import { expect, test } from 'vitest'
import { breakingChanges, drift } from './schema.ts'

test('the check reports a stale contract with its first different line', () => {
  expect(drift({ 'schema.graphql': 'a\nb\n' }, { 'schema.graphql': 'a\nb\n' })).toEqual([])
  expect(drift({ 'schema.graphql': 'a\nb\n' }, { 'schema.graphql': 'a\nc\n' })).toMatchObject([
    expect.stringContaining('line 2'),
  ])
  expect(drift({}, { 'rest.openapi.json': '{}' })).toHaveLength(1)
})

test('a removed field breaks clients, and an added field does not', () => {
  const before = 'type Query { vms: [String!]! tenants: [String!]! }'
  expect(breakingChanges(before, 'type Query { vms: [String!]! }')).toHaveLength(1)
  expect(
    breakingChanges(before, 'type Query { vms: [String!]! tenants: [String!]! networks: Int }'),
  ).toEqual([])
})
