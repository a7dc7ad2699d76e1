import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { layers, owners, type Layer } from '../arrows-table.ts'
import type { Finding } from '../finding.ts'

export const arrowsDocument = 'ARCHITECTURE.md'
const begin = '<!-- arrows: printed by test/checks/documents/print-arrows.ts -->'
const end = '<!-- end of arrows -->'

/** The document shows the arrows that are enforced, not those of an earlier commit. */
export function arrowsSectionFindings(root: string): Finding[] {
  if (!existsSync(join(root, arrowsDocument))) return []
  const text = readFileSync(join(root, arrowsDocument), 'utf8')
  const found = (message: string): Finding[] => [
    { file: arrowsDocument, rule: 'arrows are printed', message },
  ]
  if (!text.includes(begin) || !text.includes(end)) return found(`has no lines ${begin} and ${end}`)
  return withArrows(text) === text
    ? []
    : found('shows other arrows: run node test/checks/documents/print-arrows.ts')
}

/** The document with its tables between the marks replaced by the enforced ones. */
export function withArrows(text: string): string {
  const head = text.slice(0, text.indexOf(begin) + begin.length)
  return `${head}\n\n${arrowsSection()}\n\n${text.slice(text.indexOf(end))}`
}

function arrowsSection(): string {
  return [
    '| folder | may import |',
    '| --- | --- |',
    ...layers.map((layer) => `| \`${nameOf(layer.place)}\` | ${importsOf(layer)} |`),
    '',
    '| package | only in |',
    '| --- | --- |',
    ...owners.map((owner) => `| \`${owner.package}\` | ${grouped(owner.owners)} |`),
  ].join('\n')
}

function importsOf({ may, packages, direct }: Layer): string {
  const places = may.length === 0 ? 'nothing' : grouped(may)
  return `${places}${packages === false ? '; no package' : ''}${direct ? ' (direct files)' : ''}`
}

/** Places of one parent folder share it: `engine/{database,model}`. */
function grouped(places: readonly string[]): string {
  const byParent = Map.groupBy(places.map(nameOf), (name) =>
    name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '',
  )
  return [...byParent].map(([parent, names]) => `\`${together(parent, names)}\``).join(', ')
}

function together(parent: string, names: readonly string[]): string {
  if (parent === '') return names.join('`, `')
  const children = names.map((name) => name.slice(parent.length + 1)).join(',')
  return names.length === 1 ? `${parent}/${children}` : `${parent}/{${children}}`
}

function nameOf(place: string): string {
  return place.replace(/^server\/(src\/)?/, '').replace(/^web\/src\//, 'web/')
}
