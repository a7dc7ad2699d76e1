import { expect, test } from 'vitest'
import { breakingChanges, drift } from './schema.ts'

test('a contract that was not regenerated is found, with the line', () => {
  expect(drift({ 'schema.graphql': 'a\nb\n' }, { 'schema.graphql': 'a\nb\n' })).toEqual([])
  expect(drift({ 'schema.graphql': 'a\nb\n' }, { 'schema.graphql': 'a\nc\n' })).toMatchObject([
    expect.stringContaining('line 2'),
  ])
  expect(drift({}, { 'rest.openapi.json': '{}' })).toHaveLength(1)
})

test('a field that goes away breaks clients, a new one does not', () => {
  const before = 'type Query { vms: [String!]! tenants: [String!]! }'
  expect(breakingChanges(before, 'type Query { vms: [String!]! }')).toHaveLength(1)
  expect(
    breakingChanges(before, 'type Query { vms: [String!]! tenants: [String!]! networks: Int }'),
  ).toEqual([])
})
