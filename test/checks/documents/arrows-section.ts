import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { layers, owners, type Layer } from '../arrows-table.ts'
import type { Finding } from '../finding.ts'

export const arrowsDocument = 'ARCHITECTURE.md'
const begin = '<!-- arrows: printed by test/checks/documents/print-arrows.ts -->'
const end = '<!-- end of arrows -->'

/** Reports a document whose tables differ from the enforced arrows. */
export function arrowsSectionFindings(root: string): Finding[] {
  if (!existsSync(join(root, arrowsDocument))) return []
  const text = readFileSync(join(root, arrowsDocument), 'utf8')
  const found = (message: string): Finding[] => [
    { file: arrowsDocument, rule: 'arrows are printed', message },
  ]
  if (!text.includes(begin) || !text.includes(end)) return found(`has no lines ${begin} and ${end}`)
  return withArrows(text) === text
    ? []
    : found('shows stale arrows: run node test/checks/documents/print-arrows.ts')
}

/** Returns the document with the tables between the marks replaced by the enforced ones. */
export function withArrows(text: string): string {
  const head = text.slice(0, text.indexOf(begin) + begin.length)
  return `${head}\n\n${arrowsSection()}\n\n${text.slice(text.indexOf(end))}`
}

function arrowsSection(): string {
  return [
    '| folder | may import |',
    '| --- | --- |',
    ...layers.map((layer) => `| \`${nameOf(layer.path)}\` | ${importsOf(layer)} |`),
    '',
    '| package | only in |',
    '| --- | --- |',
    ...owners.map((owner) => `| \`${owner.package}\` | ${grouped(owner.owners)} |`),
  ].join('\n')
}

function importsOf({ may, packages }: Layer): string {
  const paths = may.length === 0 ? 'nothing' : grouped(may)
  return `${paths}${packages === false ? '; no package' : ''}`
}

/** Groups paths by their parent folder: `engine/{database,model}`. */
function grouped(paths: readonly string[]): string {
  const byParent = Map.groupBy(paths.map(nameOf), (name) =>
    name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '',
  )
  return [...byParent].map(([parent, names]) => `\`${together(parent, names)}\``).join(', ')
}

function together(parent: string, names: readonly string[]): string {
  if (parent === '') return names.join('`, `')
  const children = names.map((name) => name.slice(parent.length + 1)).join(',')
  return names.length === 1 ? `${parent}/${children}` : `${parent}/{${children}}`
}

function nameOf(path: string): string {
  return path.replace(/^server\/(src\/)?/, '').replace(/^web\/src\//, 'web/')
}
