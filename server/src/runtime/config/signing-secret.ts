import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errnoOf } from '../errno.ts'
import { ensureDataDir } from '../data-dir.ts'
import { Secret } from './secret.ts'

/**
 * Returns the secret that signs tokens: the configured one, or one that is created once and stored
 * in the data folder for its owner only.
 */
export function signingSecret(configured: Secret | null, dataDir: string): Secret {
  if (configured) return configured
  const path = join(dataDir, 'secret')
  return new Secret(read(path) ?? createOnce(path, dataDir))
}

function createOnce(path: string, dataDir: string): string {
  ensureDataDir(dataDir)
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true })
  try {
    // A hard link appears as a whole and never replaces a file. Two processes that start together
    // therefore get the same secret.
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
