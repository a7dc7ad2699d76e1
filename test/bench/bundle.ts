import { execFile } from 'node:child_process'
import { readdir, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

export const root = join(import.meta.dirname, '..', '..')

/**
 * Builds the programs that measure parts of the server from inside, with the server's own settings: its decorators are
 * more than Node's type stripping takes. Answers where they lie.
 */
export async function bundleInside(folder: string): Promise<(name: string) => string> {
  const sources = join(import.meta.dirname, 'inside')
  const names = (await readdir(sources)).map((file) => basename(file, '.ts'))
  const input = Object.fromEntries(names.map((name) => [name, join(sources, `${name}.ts`)]))
  const config = join(folder, 'rolldown.config.mjs')
  await symlink(join(root, 'server', 'node_modules'), join(folder, 'node_modules'))
  await writeFile(config, configText(input, folder))
  await promisify(execFile)(process.execPath, [join(root, 'server', 'node_modules', 'rolldown', 'bin', 'cli.mjs'), '--config', config], {
    cwd: folder,
  })
  return (name) => join(folder, 'inside', `${name}.js`)
}

const configText = (input: Record<string, string>, folder: string): string => `
import configs from ${JSON.stringify(pathToFileURL(join(root, 'server', 'rolldown.config.ts')).href)}
const { plugins, ...shared } = configs[0]
export default {
  ...shared,
  tsconfig: ${JSON.stringify(join(root, 'server', 'tsconfig.json'))},
  input: ${JSON.stringify(input)},
  output: { dir: ${JSON.stringify(join(folder, 'inside'))}, entryFileNames: '[name].js' },
}
`
