import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesOf } from '../files.ts'
import type { Finding } from '../finding.ts'

/** A share of a check, whose findings are cached. */
export interface LintPart {
  readonly name: string
  /** The checked folders. */
  readonly folders: readonly string[]
  /** Other folders whose types the files of this part use. */
  readonly dependsOn: readonly string[]
}

const shared = ['test/checks/lint/', 'test/package.json', 'pnpm-lock.yaml', 'tsconfig.base.json']
const linted = /\.(ts|js|vue|json|graphql|ya?ml)$/

/**
 * Returns a hash of all content on which the findings of a part depend. ESLint's own cache covers
 * neither the local rules nor the types of other files, so it would miss findings.
 */
function keyOf(root: string, { folders, dependsOn }: LintPart): string {
  const prefixes = [
    ...shared,
    ...folders.map((each) => `${each}/`),
    ...dependsOn.map((each) => `${each}/`),
  ]
  const hash = createHash('sha256').update(process.version)
  for (const file of filesOf(root).sort())
    if (linted.test(file) && prefixes.some((prefix) => file.startsWith(prefix)))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(root, file)))
        .update('\0')
  return hash.digest('hex')
}

interface CachedFindings {
  key: string
  findings: Finding[]
}

/**
 * Returns the findings of an earlier run on the same content, or else searches and keeps what it
 * finds. CI never reuses findings.
 */
export async function cachedFindings(
  root: string,
  part: LintPart,
  search: () => Promise<Finding[]>,
): Promise<Finding[]> {
  const key = keyOf(root, part)
  const earlier = process.env['CI'] ? null : earlierFindings(root, part, key)
  if (earlier) return earlier
  const findings = await search()
  const file = cachePath(root, part)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ key, findings } satisfies CachedFindings))
  return findings
}

function earlierFindings(root: string, part: LintPart, key: string): Finding[] | null {
  try {
    // `cachedFindings` wrote the file.
    const cached = JSON.parse(readFileSync(cachePath(root, part), 'utf8')) as CachedFindings
    return cached.key === key ? cached.findings : null
  } catch {
    return null
  }
}

const cachePath = (root: string, { name }: LintPart): string =>
  join(root, 'node_modules', '.cache', 'lint', `${name}.json`)
