import { expect, test } from 'vitest'
import { mustBeOffered } from './rules.ts'

const withdrawn = { id: 'a', name: 'small', state: 'Inactive' } as const

test.each([
  { vm: null, remedy: 'no longer offered; choose another one' },
  { vm: { serviceOfferingId: 'b' }, remedy: 'leave the field out to keep the present size' },
  { vm: { serviceOfferingId: null }, remedy: 'leave the field out to keep the present size' },
])('a withdrawn offering is refused with a remedy for the VM $vm', ({ vm, remedy }) => {
  expect(() => mustBeOffered(withdrawn, vm)).toThrow(remedy)
})

test('a VM keeps its withdrawn offering when a change repeats it', () => {
  expect(() => mustBeOffered(withdrawn, { serviceOfferingId: 'a' })).not.toThrow()
  expect(() => mustBeOffered({ ...withdrawn, state: 'Active' }, null)).not.toThrow()
})
