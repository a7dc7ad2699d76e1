import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureDataDir } from './data-dir.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-data-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the folder is made for its owner only, with what leads to it, and may be there already', () => {
  ensureDataDir(join(folder, 'a', 'b'))
  ensureDataDir(join(folder, 'a', 'b'))
  expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700)
})

test.for(['file', 'file/below'])('a file in the way (%s) is told as such', (path) => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => ensureDataDir(join(folder, path))).toThrow(
    expect.objectContaining({ code: 'ENOTDIR', path: join(folder, path) }),
  )
})
