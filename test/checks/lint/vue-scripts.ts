import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { componentScript } from '../component-script.ts'

/*
 * The typed rules read TypeScript files only. `writeVueScripts` copies the script of each component
 * to a file with the same line numbers, in a folder that Git and the other checks ignore. Thanks to
 * `rootDirs` its relative imports find the modules of the console. An imported component is `any`,
 * as in ESLint.
 */
const mirror = 'web/.berth/lint'
const tsconfig = {
  extends: '../../tsconfig.json',
  compilerOptions: { rootDirs: ['../..', '.'] },
  include: ['**/*', '../../src/**/*.d.ts'],
  exclude: [],
}

/** Writes the scripts of the components below the paths and returns the written files. */
export function writeVueScripts(root: string, paths: readonly string[]): string[] {
  const components = globSync('web/**/*.vue', { cwd: root, exclude: ['**/node_modules/**'] })
  const chosen = components.filter((file) =>
    paths.some((path) => file === path || file.startsWith(`${path}/`)),
  )
  if (chosen.length === 0) return []
  rmSync(join(root, mirror), { recursive: true, force: true })
  const write = (file: string, text: string) => {
    const path = join(mirror, file)
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    return path
  }
  write('tsconfig.json', JSON.stringify(tsconfig))
  write('components.d.ts', 'declare module "*.vue"\n')
  return chosen.map((file) =>
    write(`${file.slice('web/'.length)}.ts`, scriptOf(readFileSync(join(root, file), 'utf8'))),
  )
}

/** Returns the component of a written script. Any other file stays as it is. */
export const componentOf = (file: string): string =>
  file.startsWith(`${mirror}/`) ? `web${file.slice(mirror.length, -'.ts'.length)}` : file

function scriptOf(component: string): string {
  const generics = [...component.matchAll(/^<script\b[^\n]* generic="(.+?)"/gm)]
  return `${componentScript(component)}\n${generics.flatMap(([, list = '']) => typesOf(list)).join('\n')}\nexport {}\n`
}

/** Declares each type parameter of a component as a type in the script. */
const typesOf = (list: string): string[] =>
  list.split(/, (?![^{]*\})/).map((parameter) => {
    const [, name, base = 'object'] = /^(\w+)(?: extends (.+?))?(?: = .+)?$/.exec(parameter) ?? []
    return `type ${name} = ${base} & { readonly ${name}: true }`
  })
