import { expect, test } from 'vitest'
import { freeTarget, driveLetters } from './targets.ts'

test.each([
  [0, 'a'],
  [25, 'z'],
  [26, 'aa'],
  [27, 'ab'],
  [701, 'zz'],
])('the drive with index %i has the letters %s', (index, name) => {
  expect(driveLetters(index)).toBe(name)
})

test('a hotplugged disk gets the first free device name of its bus', () => {
  const taken = [{ target: 'vda' }, { target: 'sda' }, { target: 'sdc' }]
  expect(freeTarget({ name: 'd', disk: { bus: 'scsi' } }, taken)).toBe('sdb')
  expect(freeTarget({ name: 'd', disk: { bus: 'virtio' } }, taken)).toBe('vdb')
})
