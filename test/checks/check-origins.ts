import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from './finding.ts'
import { line } from './finding.ts'
import { originFindings } from './built/origins.ts'
import { root } from './run-check.ts'

// The check `origins` of `npm test`: the built console requests nothing from other origins.

const built = join(root, 'web/dist')

function findings(): Finding[] {
  if (!existsSync(built))
    return [
      { file: 'web/dist', rule: 'no other origin', message: 'is missing: run the build first' },
    ]
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(html|css|js|svg|json|webmanifest)$/.test(file),
  )
  return files.flatMap((file) =>
    originFindings(`web/dist/${file}`, readFileSync(join(built, file), 'utf8')),
  )
}

const found = findings()
process.stdout.write(
  found.length === 0 ? 'origins: nothing found\n' : `${found.map(line).join('\n')}\n`,
)
process.exitCode = found.length === 0 ? 0 : 1
