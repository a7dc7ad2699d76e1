import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')

/** Builds the server of this checkout into a folder. Returns the folder of its programs. */
export const buildServer = (folder: string): string => buildFrom(root, folder)

/**
 * Builds the server as it was before its last migration came. Returns the folder of its programs,
 * or null where the history of the checkout does not reach so far back.
 */
export function buildBeforeLastMigration(folder: string): string | null {
  const commit = commitBeforeLastMigration()
  if (!commit) return null
  const sources = join(folder, 'sources')
  mkdirSync(sources, { recursive: true })
  const parts = ['server', 'schema', 'package.json', 'tsconfig.base.json']
  execFileSync('tar', ['-x', '-C', sources], { input: git('archive', commit, ...parts) })
  symlinkSync(join(root, 'server', 'node_modules'), join(sources, 'server', 'node_modules'))
  return buildFrom(sources, folder)
}

function buildFrom(sources: string, folder: string): string {
  const server = join(sources, 'server')
  const dist = join(folder, 'dist')
  mkdirSync(folder, { recursive: true })
  symlinkSync(join(root, 'server', 'node_modules'), join(folder, 'node_modules'))
  // A process of its own leaves this one free for the load of a test.
  const cli = join(root, 'server', 'node_modules', 'rolldown', 'bin', 'cli.mjs')
  execFileSync(process.execPath, [cli, '--config', '--dir', dist], { cwd: server, stdio: 'pipe' })
  return dist
}

/** A merge counts as one commit, so that the one before it lacks nothing but the merged change. */
function commitBeforeLastMigration(): string | null {
  const added = ['--first-parent', '-m', '--diff-filter=A', '--format=%H', '-1']
  try {
    const last = git('log', ...added, '--', 'server/src/store/migrations')
      .toString()
      .trim()
    return git('rev-parse', '--verify', '--quiet', `${last}~1`).toString().trim()
  } catch {
    return null
  }
}

const git = (...args: readonly string[]): Buffer =>
  execFileSync('git', ['-C', root, ...args], {
    maxBuffer: 256 * 1024 ** 2,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
