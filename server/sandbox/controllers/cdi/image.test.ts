import { expect, test } from 'vitest'
import { detectDisk } from './image.ts'

const qcow2 = Buffer.alloc(100)
qcow2.write('QFI\xfb', 0, 'latin1')
qcow2.writeBigUInt64BE(2n ** 30n, 24)

test.each([
  {
    because: 'a qcow2 image is as large as the disk in it',
    head: qcow2,
    disk: { virtualBytes: 2 ** 30 },
  },
  {
    because: 'a raw image is as large as its file',
    head: Buffer.alloc(512, 1),
    disk: { virtualBytes: 700 },
  },
  {
    because: 'a login page is not a disk',
    head: Buffer.from('<!DOCTYPE html><title>x</title>'),
    disk: expect.any(String) as string,
  },
  {
    because: 'a truncated qcow2 header is an error',
    head: qcow2.subarray(0, 20),
    disk: expect.any(String) as string,
  },
])('a download reports the disk size that its first bytes show: $because', ({ head, disk }) => {
  expect(detectDisk(head, 700, '/image')).toEqual(disk)
})
