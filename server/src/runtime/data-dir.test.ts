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

test('ensureDataDir creates the folder and its parents for the owner only, and accepts an existing one', () => {
  ensureDataDir(join(folder, 'a', 'b'))
  ensureDataDir(join(folder, 'a', 'b'))
  expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700)
})

test.for(['file', 'file/below'])('ensureDataDir reports a file in the path (%s)', (path) => {
  writeFileSync(join(folder, 'file'), '')
  expect(() => ensureDataDir(join(folder, path))).toThrow(
    expect.objectContaining({ code: 'ENOTDIR', path: join(folder, path) }),
  )
})
