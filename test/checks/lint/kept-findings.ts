import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesOf } from '../files.ts'
import type { Finding } from '../finding.ts'

/** A share of the linting that runs in a process of its own. */
export interface LintPart {
  readonly name: string
  /** What ESLint looks at. */
  readonly folders: readonly string[]
  /** Every folder whose types the files of this part can see. */
  readonly sees: readonly string[]
}

const shared = ['test/checks/lint/', 'test/package.json', 'pnpm-lock.yaml', 'tsconfig.base.json']
const linted = /\.(ts|js|vue|json|graphql|ya?ml)$/

/**
 * Names the exact content that the findings of a part depend on. ESLint's own cache knows neither
 * our rules nor the types of other files, so it would miss findings.
 */
export function keyOf(root: string, { folders, sees }: LintPart): string {
  const prefixes = [
    ...shared,
    ...folders.map((each) => `${each}/`),
    ...sees.map((each) => `${each}/`),
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

interface Kept {
  key: string
  findings: Finding[]
}

/** The findings of an earlier run on the same content, or null. CI never reuses findings. */
export function keptFindings(root: string, part: LintPart, key: string): Finding[] | null {
  if (process.env['CI']) return null
  try {
    // Written by `keepFindings`.
    const kept = JSON.parse(readFileSync(placeOf(root, part), 'utf8')) as Kept
    return kept.key === key ? kept.findings : null
  } catch {
    return null
  }
}

export function keepFindings(root: string, part: LintPart, kept: Kept): void {
  const file = placeOf(root, part)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(kept))
}

const placeOf = (root: string, { name }: LintPart): string =>
  join(root, 'node_modules', '.cache', 'lint', `${name}.json`)
