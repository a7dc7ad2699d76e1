import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { format, resolveConfig } from 'prettier'
import type { Finding } from '../finding.ts'
import { type ListFile, listFiles } from './noun-lists.ts'

/** Writes the lists that differ from the files that they list. */
export async function printLists(root: string): Promise<void> {
  for (const { file, text } of await staleLists(root)) writeFileSync(join(root, file), text)
}

/** Reports each list that differs from the files that it lists. */
export async function listFindings(root: string): Promise<Finding[]> {
  return (await staleLists(root)).map(({ file }) => ({
    file,
    rule: 'lists are printed',
    message: 'differs from the files that it lists: run `npm run fix`',
  }))
}

async function staleLists(root: string): Promise<{ file: string; text: string }[]> {
  const files = listFiles(root).filter(({ file }) => existsSync(dirname(join(root, file))))
  const printed = await Promise.all(
    files.map(async (list) => ({ file: list.file, text: await textOf(root, list) })),
  )
  return printed.filter(({ file, text }) => {
    const path = join(root, file)
    return !existsSync(path) || readFileSync(path, 'utf8') !== text
  })
}

async function textOf(root: string, list: ListFile): Promise<string> {
  const parts = partsOf(root, list)
  const names = parts.flatMap(({ exports }) => exports)
  const isListed = (name: string): boolean => list.lists.some(({ exports }) => exports.test(name))
  const lines = [
    `// \`npm run fix\` writes this file from the exports of ${list.from}.`,
    ...parts.flatMap(({ path, exports }) => {
      const listed = exports.filter(isListed)
      return listed.length === 0 ? [] : [`import { ${listed.join(', ')} } from '${path}'`]
    }),
    ...list.lists.map(({ name, comment, exports, form }) => {
      const listed = names.filter((each) => exports.test(each))
      return `\n/** ${comment} */\nexport const ${name} = ${forms[form](listed, exports)}`
    }),
  ]
  const filepath = join(root, list.file)
  return format(lines.join('\n'), {
    ...(await resolveConfig(import.meta.filename)),
    filepath,
  })
}

interface Part {
  path: string
  exports: string[]
}

const declaration = /^export (?:const|function) (\w+)/gm

function partsOf(root: string, { file, from }: ListFile): Part[] {
  return globSync(from, { cwd: root })
    .filter((path) => path !== file && !path.endsWith('.test.ts'))
    .sort()
    .map((path) => ({
      path: `./${relative(dirname(file), path)}`,
      exports: [...readFileSync(join(root, path), 'utf8').matchAll(declaration)].flatMap(
        ([, name]) => name ?? [],
      ),
    }))
}

const forms = {
  elements: (names: readonly string[]) => `[${names.join(', ')}] as const`,
  kinds: (names: readonly string[], suffix: RegExp) =>
    `{ ${names.map((name) => `${kindOf(name.replace(suffix, ''))}: ${name}`).join(', ')} }`,
  properties: (names: readonly string[]) => `{ ${names.map((name) => `...${name}`).join(', ')} }`,
} as const

/** Returns `vm_snapshot` for `vmSnapshot`. */
const kindOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
