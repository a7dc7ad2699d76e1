import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from './files.ts'
import type { Finding } from './finding.ts'

/** Checks the names and paths of files, and the texts that must not occur in them. */
export function treeFindings(root: string): Finding[] {
  const files = filesOf(root)
  const fileProblems = files.flatMap((file) => [
    ...pathFindings(file),
    ...(readable(file) ? textFindings(file, readFileSync(join(root, file), 'utf8')) : []),
  ])
  return [...fileProblems, ...folderFindings(files)]
}

const countedRoots = /^(server\/src|server\/sandbox|web\/src|test)\//
const maxFiles = 25

/** A reader finds a file by its folder, so a folder of code has few files. Tests count too. */
export function folderFindings(files: readonly string[]): Finding[] {
  const counts = new Map<string, number>()
  for (const file of files.filter((each) => countedRoots.test(each))) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > maxFiles)
    .map(([folder, count]) => ({
      file: folder,
      rule: 'folder size',
      message: `has ${count} files; ${maxFiles} is the limit, so split it by topic`,
    }))
}

const vagueFolder =
  /^(managers?|helpers?|utils?|utilities|data|info|misc|common|handlers?|process(ors?)?)$/i
// `Data` has a meaning at the beginning of a name (data-volume), and none at its end.
const vagueFile =
  /(^|[-.])(manager|helper|helpers|util|utils|info|handle|process)([-.]|$)|(^|[-.])data\.\w+$/i
const sourceRoots = /^(server\/src|server\/sandbox|web\/src)\/(.*)$/
const maxDepth = 3

export function pathFindings(file: string): Finding[] {
  const inSource = sourceRoots.exec(file)?.[2]
  if (inSource === undefined) return []
  const folders = inSource.split('/').slice(0, -1)
  const name = inSource.split('/').at(-1) ?? ''
  const found = (rule: string, message: string): Finding => ({ file, rule, message })
  return [
    ...(folders.length > maxDepth
      ? [found('folder depth', `is ${folders.length} folders deep; ${maxDepth} is the limit`)]
      : []),
    ...folders
      .filter((folder) => vagueFolder.test(folder))
      .map((folder) => found('plain folder names', `"${folder}" does not describe its content`)),
    ...(vagueFile.test(name)
      ? [found('plain file names', `"${name}" does not describe its content`)]
      : []),
    ...(/^index\.[jt]s$/.test(name)
      ? [found('no barrels', 'import the file that declares it')]
      : []),
  ]
}

const readable = (file: string): boolean =>
  /\.(ts|js|json|vue|css|html|md|ya?ml|graphql|sh|sql)$|(^|\/)(run|Dockerfile|LICENSE)$/.test(file)

// The pattern is built from parts, so that this file passes its own check.
const localPath = new RegExp(
  ['(?<![\\w.~-])/(Users/\\w', 'home/\\w+/(?!\\.ssh)', 'work/\\w', 'root/\\w)'].join('|'),
)

export function textFindings(file: string, text: string): Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const path = localPath.exec(content)
    return path
      ? [
          {
            file,
            line: index + 1,
            rule: 'no local paths',
            message: `contains a path of one computer: ${path[0]}`,
          },
        ]
      : []
  })
}
