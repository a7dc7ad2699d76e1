import { expect, test } from 'vitest'
import { endOfLine } from './console.ts'

const vm = { state: 'Running', wantedPower: 'on', deleting: false } as const

test.each([
  { left: null, end: 'gone', because: 'there is no row any more' },
  { left: { ...vm, deleting: true }, end: 'gone', because: 'it is being deleted' },
  {
    left: { ...vm, wantedPower: 'off' },
    end: 'stopped',
    because: 'it was asked to stop, though it was seen running last',
  },
  { left: { ...vm, state: 'Stopped' }, end: 'stopped', because: 'the guest shut itself down' },
  { left: { ...vm, state: 'Migrating' }, end: 'moved', because: 'a console does not move along' },
  { left: { ...vm, state: 'Restarting' }, end: 'moved', because: 'what runs next is another run' },
  {
    left: { ...vm, state: 'Stopping' },
    end: null,
    because: 'nobody asked for that: what comes next tells',
  },
  { left: vm, end: null, because: 'the row knows of nothing yet' },
] as const)('a line ends with $end when $because', ({ left, end }) => {
  expect(endOfLine(left)).toBe(end)
})
