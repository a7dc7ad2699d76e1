import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Finding } from './finding.ts'
import { cachedFindings, type LintPart } from './lint/cached-findings.ts'
import { plainFindings } from './lint/lint.ts'
import { conclude, root } from './run-check.ts'

/*
 * The check `lint` of `npm test`: the rules of ESLint. The check `types` has the rules that need
 * types. Each part runs in a separate process, all at the same time. A part is skipped when its
 * inputs have not changed.
 */
const parts: readonly LintPart[] = [
  { name: 'server', folders: ['server'], dependsOn: [] },
  { name: 'console', folders: ['web'], dependsOn: ['schema'] },
  { name: 'tests', folders: ['test'], dependsOn: [] },
]
const run = promisify(execFile)

/** The process of a part prints its findings as JSON, and the first process collects them. */
const named = parts.find(({ name }) => name === process.argv[2])
if (named) process.stdout.write(JSON.stringify(await plainFindings(root, named.folders)))
else
  conclude(
    'lint',
    (await Promise.all(parts.map((part) => cachedFindings(root, part, () => search(part))))).flat(),
  )

async function search({ name }: LintPart): Promise<Finding[]> {
  const limits = { cwd: root, maxBuffer: 64 * 1024 * 1024 }
  const { stdout } = await run(process.execPath, [import.meta.filename, name], limits)
  // This file prints the JSON above.
  return JSON.parse(stdout) as Finding[]
}
