import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type ClientContext } from './client.ts'
import { run } from './command.ts'

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

const compilerOptions = {
  strict: true,
  // Node runs only TypeScript without parameter properties, which openapi-generator prints.
  outDir: 'out',
  rewriteRelativeImportExtensions: true,
  module: 'nodenext',
  target: 'esnext',
  lib: ['esnext', 'dom', 'dom.iterable'],
  types: [],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
}

/** Writes the configuration of the compiler, for tools that read it. */
export const writeCompilerOptions = (folder: string, more: object = {}): void =>
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...compilerOptions, ...more }, files: ['program.ts'] }),
  )

/** Compiles a program and all that it imports, runs it, and returns what it printed. */
export function runTypescript(
  program: string,
  { folder, settings }: Pick<ClientContext, 'folder' | 'settings'>,
): string {
  writeFileSync(join(folder, 'program.ts'), program)
  writeCompilerOptions(folder)
  run([process.execPath, tsc, '-p', '.'], folder)
  return run([process.execPath, 'out/program.js'], folder, settings)
}
