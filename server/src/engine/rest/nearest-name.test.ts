import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

const known = ['name', 'display_name', 'cpu', 'memory_mi', 'port_from', 'port_to', 'scopes']

test.each([
  ['memroy_mi', 'memory_mi', 'two letters are swapped'],
  ['memoryMi', 'memory_mi', 'it is the name in GraphQL'],
  ['cpus', 'cpu', 'a letter is too many'],
  ['scope', 'scopes', 'a letter is missing'],
  ['port_min', 'port_to', 'the beginning is the same'],
  ['Name', 'name', 'only the case differs'],
  ['frobnicate', null, 'nothing resembles it'],
  ['x', null, 'it is too short to resemble anything'],
  ['name'.repeat(20), null, 'it is longer than any name'],
])('%s means %s, because %s', (name, nearest, _because) => {
  expect(nearestName(name, known)).toBe(nearest)
})

test('no name resembles one of an empty list', () => {
  expect(nearestName('name', [])).toBe(null)
})
