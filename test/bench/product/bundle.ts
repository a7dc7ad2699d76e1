import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

export const root = join(import.meta.dirname, '..', '..', '..')

/**
 * Builds a program of the folder bench/inside with the server's own settings, because Node's type
 * stripping does not support the server's decorators. Returns the path of the program.
 */
export async function bundleInside(name: string, folder: string): Promise<string> {
  const config = join(folder, `${name}.config.mjs`)
  const modules = join(folder, 'node_modules')
  if (!existsSync(modules)) await symlink(join(root, 'server', 'node_modules'), modules)
  await writeFile(config, configText(name, folder))
  const rolldown = join(root, 'server', 'node_modules', 'rolldown', 'bin', 'cli.mjs')
  await promisify(execFile)(process.execPath, [rolldown, '--config', config], { cwd: folder })
  return join(folder, `${name}.js`)
}

const configText = (name: string, folder: string): string => `
import configs, { shipMigrations } from ${JSON.stringify(pathToFileURL(join(root, 'server', 'rolldown.config.ts')).href)}
const { plugins, ...shared } = configs[0]
export default {
  ...shared,
  plugins: [shipMigrations],
  tsconfig: ${JSON.stringify(join(root, 'server', 'tsconfig.json'))},
  input: ${JSON.stringify(join(import.meta.dirname, '..', 'inside', `${name}.ts`))},
  output: { file: ${JSON.stringify(join(folder, `${name}.js`))}, codeSplitting: false },
}
`
