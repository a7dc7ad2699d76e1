import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readDisk, writeDisk } from './disk-state.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-disk-'))
  path = join(folder, 'disk')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('an image stays in front of what a guest writes, however often it writes', () => {
  const image = Buffer.alloc(5_000, 'image')
  writeFileSync(path, image)
  for (const note of ['a long first note', 'b']) writeDisk(path, { note })
  expect(readDisk(path)).toEqual({ note: 'b' })
  expect(readFileSync(path).subarray(0, image.length).equals(image)).toBe(true)
  expect(readFileSync(path).length).toBeLessThan(image.length + 60)
})

test.each([
  ['a disk that is not there', (): void => undefined],
  [
    'a disk that nobody wrote to',
    (): void => writeFileSync(path, 'nothing of ours, but long enough for an end'),
  ],
  ['an end that is cut off', (): void => (writeDisk(path, { note: 'a' }), truncateSync(path, 20))],
  [
    'an end that something follows',
    (): void => (writeDisk(path, { note: 'a' }), appendFileSync(path, 'more')),
  ],
])('%s holds nothing of a guest', (_what, make) => {
  make()
  expect(readDisk(path)).toBeNull()
})

test('a disk that cannot be written tells the guest so', () => {
  expect(() => writeDisk(folder, { note: 'a' })).toThrow(/Input\/output error/)
})
