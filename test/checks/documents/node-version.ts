import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../finding.ts'

/** `.nvmrc` names the version of Node that package.json pins for every platform. */
export function nodeVersionFindings(root: string): Finding[] {
  const file = '.nvmrc'
  if (!existsSync(join(root, file))) return []
  const named = readFileSync(join(root, file), 'utf8').trim()
  // The packages of Node are the only ones of package.json whose names begin with `node-`.
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
