import { expect, test } from 'vitest'
import { messageOf, storedJson } from '../model/message.ts'
import { differsFromRow } from './row-difference.ts'

const explanation = { code: 'unschedulable', cause: 'No room.', since: null }

test.each([
  {
    because: 'the observed values are the same',
    row: { state: 'Error', explanation },
    differs: false,
  },
  {
    because: 'the order of keys in stored JSON does not count',
    row: { state: 'Error', explanation: { since: null, cause: 'No room.', code: 'unschedulable' } },
    differs: false,
  },
  {
    because: 'the explanation has another cause',
    row: { state: 'Error', explanation: { ...explanation, cause: 'No memory.' } },
    differs: true,
  },
  {
    because: 'the row has no explanation',
    row: { state: 'Error', explanation: undefined },
    differs: true,
  },
  { because: 'the state differs', row: { state: 'Running', explanation }, differs: true },
])('differsFromRow returns $differs when $because', ({ row, differs }) => {
  expect(differsFromRow(row, { state: 'Error', explanation })).toBe(differs)
})

test('differsFromRow treats an undefined field of the row as null', () => {
  expect(differsFromRow({ ip: undefined }, { ip: null })).toBe(false)
})

test('differsFromRow returns false for a message that the driver returned as plain JSON', () => {
  const reason = messageOf('capability.no_cdi')
  const observed = { waitsFor: messageOf('operation.component_missing', { reason }) }
  const row: { waitsFor: unknown } = { waitsFor: JSON.parse(storedJson(observed.waitsFor)) }
  expect(differsFromRow(row, observed)).toBe(false)
  expect(differsFromRow(row, { waitsFor: reason })).toBe(true)
})
