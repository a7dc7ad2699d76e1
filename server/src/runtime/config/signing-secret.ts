import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from '../errno.ts'
import { ensureDataDir } from '../data-dir.ts'
import { Secret } from './secret.ts'

/**
 * What tokens are signed with: given by the environment, or made once and kept in the data folder
 * for its owner only.
 */
export function signingSecret(given: Secret | null, dataDir: string): Secret {
  if (given) return given
  const path = join(dataDir, 'secret')
  return new Secret(read(path) ?? makeOnce(path, dataDir))
}

function makeOnce(path: string, dataDir: string): string {
  ensureDataDir(dataDir)
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true })
  try {
    // A link appears whole or not at all, and never replaces: of two starts at once, both end up
    // with the same secret.
    linkSync(draft, path)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8')
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  }
}
