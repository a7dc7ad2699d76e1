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

test('a downloaded image keeps its content when a guest writes on the disk repeatedly', () => {
  const image = Buffer.alloc(5_000, 'image')
  writeFileSync(path, image)
  for (const text of ['a long first note', 'b']) writeDisk(path, { note: text })
  expect(readDisk(path)).toEqual({ note: 'b' })
  expect(readFileSync(path).subarray(0, image.length).equals(image)).toBe(true)
  expect(readFileSync(path).length).toBeLessThan(image.length + 60)
})

test.each([
  ['a missing disk', (): void => undefined],
  [
    'an unwritten disk',
    (): void => writeFileSync(path, 'content without a mark, longer than a tail'),
  ],
  ['a truncated disk', (): void => (writeDisk(path, { text: 'a' }), truncateSync(path, 20))],
  [
    'a disk with bytes after its tail',
    (): void => (writeDisk(path, { text: 'a' }), appendFileSync(path, 'more')),
  ],
])('%s contains no state of a guest', (_what, prepareDisk) => {
  prepareDisk()
  expect(readDisk(path)).toBeNull()
})

test('an unwritable disk returns an input/output error to the guest', () => {
  expect(() => writeDisk(folder, { text: 'a' })).toThrow(/Input\/output error/)
})
