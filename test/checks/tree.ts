import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf } from './files.ts'
import type { Finding } from './finding.ts'

/** What the names and places of files must not be, and which texts must not stand in them. */
export function treeFindings(root: string): Finding[] {
  const files = filesOf(root)
  const ofFiles = files.flatMap((file) => [
    ...placeFindings(file),
    ...(readable(file) ? textFindings(file, readFileSync(join(root, file), 'utf8')) : []),
  ])
  return [...ofFiles, ...folderFindings(files)]
}

const countedRoots = /^(server\/src|server\/sandbox|web\/src|test)\//
const mostFiles = 25

/** A reader finds a file by its folder, so a folder of code holds few files. Tests count too. */
export function folderFindings(files: readonly string[]): Finding[] {
  const counts = new Map<string, number>()
  for (const file of files.filter((each) => countedRoots.test(each))) {
    const folder = file.slice(0, file.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > mostFiles)
    .map(([folder, count]) => ({
      file: folder,
      rule: 'folder size',
      message: `holds ${count} files; ${mostFiles} is the limit, so part it by topic`,
    }))
}

const vagueFolder =
  /^(managers?|helpers?|utils?|utilities|data|info|misc|common|handlers?|process(ors?)?)$/i
// `Data` says something as the beginning of a name (data-volume), nothing as its end.
const vagueFile =
  /(^|[-.])(manager|helper|helpers|util|utils|info|handle|process)([-.]|$)|(^|[-.])data\.\w+$/i
const sourceRoots = /^(server\/src|server\/sandbox|web\/src)\/(.*)$/
const deepest = 3

export function placeFindings(file: string): Finding[] {
  const inSource = sourceRoots.exec(file)?.[2]
  if (inSource === undefined) return []
  const folders = inSource.split('/').slice(0, -1)
  const name = inSource.split('/').at(-1) ?? ''
  const found = (rule: string, message: string): Finding => ({ file, rule, message })
  return [
    ...(folders.length > deepest
      ? [found('folder depth', `lies ${folders.length} folders deep; ${deepest} is the limit`)]
      : []),
    ...folders
      .filter((folder) => vagueFolder.test(folder))
      .map((folder) => found('plain folder names', `"${folder}" says nothing about what is in it`)),
    ...(vagueFile.test(name)
      ? [found('plain file names', `"${name}" says nothing about what is in it`)]
      : []),
    ...(/^index\.[jt]s$/.test(name)
      ? [found('no barrels', 'import the file that holds the thing')]
      : []),
  ]
}

const readable = (file: string): boolean =>
  /\.(ts|js|json|vue|css|html|md|ya?ml|graphql|sh|sql)$|(^|\/)(run|Dockerfile|LICENSE)$/.test(file)

// Written in halves, so that this file passes its own check.
const machinePath = new RegExp(
  ['(?<![\\w.~-])/(Users/\\w', 'home/\\w+/(?!\\.ssh)', 'work/\\w', 'root/\\w)'].join('|'),
)

export function textFindings(file: string, text: string): Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const path = machinePath.exec(content)
    return path
      ? [
          {
            file,
            line: index + 1,
            rule: 'no machine paths',
            message: `names a folder of one machine: ${path[0]}`,
          },
        ]
      : []
  })
}
