import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { errnoOf } from './errno.ts'

/**
 * Creates the folder for its owner only, unless it exists. A failure throws the real error of the
 * system, with the folder in `path`.
 */
export function ensureDataDir(dataDir: string): void {
  const blocking = nearestExisting(dataDir)
  if (!statSync(blocking).isDirectory())
    throw Object.assign(new TypeError(`${blocking} is a file and not a folder`), {
      code: 'ENOTDIR',
      path: dataDir,
    })
  // A recursive mkdir on a read-only disk fails with "no such file", which would mislead operators.
  accessSync(blocking, constants.W_OK)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
}

function nearestExisting(path: string): string {
  for (let each = path; ; each = dirname(each)) {
    try {
      statSync(each)
      return each
    } catch (error) {
      const code = errnoOf(error)
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(each) === each) throw error
    }
  }
}
