import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Finding } from '../finding.ts'
import { componentOf, writeVueScripts } from './vue-scripts.ts'

const rules = join(import.meta.dirname, 'typed-rules.json')
const oxlint = join(import.meta.dirname, '../../node_modules/oxlint/bin/oxlint')
// Set explicitly, because oxlint would look for it in the checked folder.
const tsgolint = createRequire(
  createRequire(import.meta.url).resolve('oxlint-tsgolint/package.json'),
).resolve(`@oxlint-tsgolint/${process.platform}-${process.arch}/tsgolint`)
const ignored = ['**/*.js', '**/*.gen.ts', '**/*.d.ts'].flatMap((glob) => [
  '--ignore-pattern',
  glob,
])

/**
 * Returns the findings of the rules that need types. The native compiler of oxlint takes a fifth of
 * the time that typescript-eslint takes for the same rules.
 */
export async function typedFindings(root: string, paths: readonly string[]): Promise<Finding[]> {
  return found(root, [...ignored, ...paths, ...writeVueScripts(root, paths)])
}

/**
 * Returns the findings of the same rules and the errors of the compiler, each file with the options
 * of its own tsconfig.json. A file of several programs is read and checked once.
 */
export const typeErrors = (root: string, folders: readonly string[]): Promise<Finding[]> =>
  found(root, ['--type-check', ...ignored, ...folders])

async function found(root: string, args: readonly string[]): Promise<Finding[]> {
  const all = ['--type-aware', '--config', rules, '--format', 'json', ...args]
  return reportFrom(await outputOf(root, all)).diagnostics.map(findingFrom)
}

interface Diagnostic {
  readonly filename: string
  /** `typescript(no-floating-promises)` is a rule, `typescript(TS2322)` an error. */
  readonly code?: string
  readonly message: string
  readonly labels: readonly { readonly span: { readonly line: number } }[]
}

function findingFrom({ filename, code = 'typed', message, labels }: Diagnostic): Finding {
  const rule = code
    .replace(/^typescript\((TS\d+)\)$/, '$1')
    .replace(/^typescript\((.+)\)$/, '@typescript-eslint/$1')
  return { file: componentOf(filename), rule, message, line: labels[0]?.span.line ?? 1 }
}

function reportFrom(output: string): { diagnostics: Diagnostic[] } {
  try {
    // oxlint wrote this with `--format json`.
    return JSON.parse(output) as { diagnostics: Diagnostic[] }
  } catch (error) {
    throw new Error(`oxlint failed: ${output}`, { cause: error })
  }
}

/**
 * Returns the output. oxlint exits with 1 when it finds something, and prints its own failures as
 * plain text.
 */
const outputOf = (root: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const env = { ...process.env, OXLINT_TSGOLINT_PATH: tsgolint }
    const options = { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }
    execFile(process.execPath, [oxlint, ...args], options, (_error, stdout) => resolve(stdout))
  })
