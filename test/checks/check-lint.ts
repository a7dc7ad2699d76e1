import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Finding } from './finding.ts'
import { keepFindings, keptFindings, keyOf, type LintPart } from './lint/kept-findings.ts'
import { lintFindings } from './lint/lint.ts'
import { conclude, root } from './run-check.ts'

/*
 * Each part runs in a process of its own, all at once, and a part is skipped when nothing has
 * changed that its findings depend on.
 */
const parts: readonly LintPart[] = [
  { name: 'server', folders: ['server'], sees: [] },
  { name: 'console', folders: ['web'], sees: ['schema'] },
  { name: 'tests', folders: ['test'], sees: ['server', 'web', 'schema'] },
]
const run = promisify(execFile)

/** The process of one part prints its findings as JSON; the first process collects them. */
const named = parts.find(({ name }) => name === process.argv[2])
if (named) process.stdout.write(JSON.stringify(await lintFindings(root, named.folders)))
else conclude('lint', (await Promise.all(parts.map(findingsOf))).flat())

async function findingsOf(part: LintPart): Promise<Finding[]> {
  const key = keyOf(root, part)
  const kept = keptFindings(root, part, key)
  if (kept) return kept
  const limits = { cwd: root, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await run(process.execPath, [import.meta.filename, part.name], limits)
  // Printed by this same file, above.
  const findings = JSON.parse(stdout) as Finding[]
  keepFindings(root, part, { key, findings })
  return findings
}
