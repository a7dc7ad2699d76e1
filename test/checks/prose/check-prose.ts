import { line } from '../finding.ts'
import { root } from '../run-check.ts'
import { proseFindings } from './prose.ts'

/*
 * Prose has no list of exceptions. `node test/checks/prose/check-prose.ts server/src/domain` looks
 * at one folder only.
 */
const findings = proseFindings(root, process.argv.slice(2))
for (const finding of findings) process.stdout.write(`${line(finding)}\n`)
process.stdout.write(
  findings.length === 0 ? 'prose: nothing found\n' : `prose: ${findings.length} found\n`,
)
process.exitCode = findings.length === 0 ? 0 : 1
