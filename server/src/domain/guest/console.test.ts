import { expect, test } from 'vitest'
import { consoleEndOf } from './console.ts'

const vm = { state: 'Running', wantedPower: 'on', deleting: false } as const

test.each([
  { left: null, end: 'gone', because: 'the VM has no row any more' },
  { left: { ...vm, deleting: true }, end: 'gone', because: 'the VM is being deleted' },
  {
    left: { ...vm, wantedPower: 'off' },
    end: 'stopped',
    because: 'a stop was requested, although the VM was last observed running',
  },
  { left: { ...vm, state: 'Stopped' }, end: 'stopped', because: 'the guest shut itself down' },
  {
    left: { ...vm, state: 'Migrating' },
    end: 'moved',
    because: 'a console connection does not survive a migration',
  },
  { left: { ...vm, state: 'Restarting' }, end: 'moved', because: 'a restart creates another VMI' },
  {
    left: { ...vm, state: 'Stopping' },
    end: null,
    because: 'an unrequested stop may be part of a restart',
  },
  { left: vm, end: null, because: 'the row shows no change yet' },
] as const)('a console connection ends with $end when $because', ({ left, end }) => {
  expect(consoleEndOf(left)).toBe(end)
})
