import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../finding.ts'

/** Requires `.nvmrc` to name the Node version that package.json pins for every platform. */
export function nodeVersionFindings(root: string): Finding[] {
  const file = '.nvmrc'
  if (!existsSync(join(root, file))) return []
  const named = readFileSync(join(root, file), 'utf8').trim()
  // Only the packages of Node have names in package.json that begin with `node-`.
  const { optionalDependencies = {} } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as { optionalDependencies?: Record<string, string> }
  return Object.entries(optionalDependencies)
    .filter(([name, version]) => name.startsWith('node-') && version !== named)
    .map(([name, version]) => ({
      file,
      rule: 'one Node version',
      message: `names ${named}, but package.json pins ${name} ${version}`,
    }))
}
