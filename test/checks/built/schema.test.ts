import { expect, test } from 'vitest'
import { type Contract, breakingChanges, drift, explainsBreak } from './schema.ts'

test('the check reports a stale contract with its first different line', () => {
  expect(drift({ 'schema.graphql': 'a\nb\n' }, { 'schema.graphql': 'a\nb\n' })).toEqual([])
  expect(drift({ 'schema.graphql': 'a\nb\n' }, { 'schema.graphql': 'a\nc\n' })).toMatchObject([
    expect.stringContaining('line 2'),
  ])
  expect(drift({}, { 'rest.openapi.json': '{}' })).toHaveLength(1)
})

test('a removed field breaks clients, and an added field does not', () => {
  const sdl = (text: string): Contract => ({ 'schema.graphql': text })
  const before = sdl('type Query { vms: [String!]! tenants: [String!]! }')
  expect(breakingChanges(before, sdl('type Query { vms: [String!]! }'))).toHaveLength(1)
  expect(
    breakingChanges(
      before,
      sdl('type Query { vms: [String!]! tenants: [String!]! networks: Int }'),
    ),
  ).toEqual([])
})

test('a removed REST operation breaks clients', () => {
  const rest = (paths: object): Contract => ({ 'rest.openapi.json': JSON.stringify({ paths }) })
  const before = rest({ '/vms': { get: { responses: {} } } })
  expect(breakingChanges(before, rest({}))).toEqual(['GET /vms: the operation is gone'])
  expect(breakingChanges(before, before)).toEqual([])
  expect(breakingChanges({}, before)).toEqual([])
})

test('a commit may break clients only when its message tells why', () => {
  expect(explainsBreak('rest: remove a field\n\nBreaks: no released client has it.\n')).toBe(true)
  expect(explainsBreak('rest: remove a field\n\nIt is gone.\n')).toBe(false)
  expect(explainsBreak('rest: remove a field\n\nBreaks:\n')).toBe(false)
})
