import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInstalled } from './command.ts'
import { type Generator, generators } from './generators.ts'

/*
 * Generates clients from the committed OpenAPI document with common generators, and compiles them.
 * `npm run clients` runs it. It is no part of `npm test`, because it downloads the generators and
 * needs Go and Python.
 */
const document = join(import.meta.dirname, '..', '..', 'schema', 'rest.openapi.json')

/** Returns the line about a generator. A generator whose program is not installed is skipped. */
function resultOf({ name, needs, check }: Generator): { line: string; isFailed: boolean } {
  if (!isInstalled(needs))
    return { line: `skipped  ${name}: ${needs[0]} is not installed`, isFailed: false }
  const folder = mkdtempSync(join(tmpdir(), 'berth-client-'))
  try {
    check(document, folder)
    return { line: `passed   ${name}`, isFailed: false }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { line: `failed   ${name}: ${reason}`, isFailed: true }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

for (const generator of generators) {
  const { line, isFailed } = resultOf(generator)
  process.stdout.write(`${line}\n`)
  if (isFailed) process.exitCode = 1
}
