import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Finding } from './finding.ts'
import { cachedFindings, cacheFindings, keyOf, type LintPart } from './lint/cached-findings.ts'
import { lintFindings } from './lint/lint.ts'
import { conclude, root } from './run-check.ts'

/*
 * Each part runs in a separate process, all at the same time. A part is skipped when its inputs
 * have not changed.
 */
const parts: readonly LintPart[] = [
  { name: 'server', folders: ['server'], dependsOn: [] },
  { name: 'console', folders: ['web'], dependsOn: ['schema'] },
  { name: 'tests', folders: ['test'], dependsOn: ['server', 'web', 'schema'] },
]
const run = promisify(execFile)

/** The process of a part prints its findings as JSON, and the first process collects them. */
const named = parts.find(({ name }) => name === process.argv[2])
if (named) process.stdout.write(JSON.stringify(await lintFindings(root, named.folders)))
else conclude('lint', (await Promise.all(parts.map(findingsOf))).flat())

async function findingsOf(part: LintPart): Promise<Finding[]> {
  const key = keyOf(root, part)
  const cached = cachedFindings(root, part, key)
  if (cached) return cached
  const limits = { cwd: root, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await run(process.execPath, [import.meta.filename, part.name], limits)
  // This file prints the JSON above.
  const findings = JSON.parse(stdout) as Finding[]
  cacheFindings(root, part, { key, findings })
  return findings
}
