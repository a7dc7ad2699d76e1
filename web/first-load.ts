import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DocumentInput, createRequest, formatDocument, stringifyVariables } from '@urql/core'
import { makeFetchBody } from '@urql/core/internal'
import type { Plugin, Rolldown } from 'vite'
import { viewerDocument } from './src/api/viewer.ts'
import { vmDocuments } from './src/api/vm/vms.ts'

const source = (path: string): string => readFileSync(join(import.meta.dirname, path), 'utf8')

/**
 * Lets the page of the console paint before its files are there, and tells the server which files a
 * route needs.
 */
export function firstLoad(): Plugin {
  return {
    name: 'first-load',
    apply: 'build',
    transformIndexHtml: { order: 'post', handler: pageFrom },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((part) => part.type === 'chunk')
      this.emitFile({
        type: 'asset',
        fileName: 'routes.json',
        source: JSON.stringify(routesFrom(chunks)),
      })
    },
  }
}

function pageFrom(html: string): string {
  const sheets = [...html.matchAll(/\s*<link rel="stylesheet"[^>]*>/g)].map(([link]) => link)
  const bare = sheets.reduce((text, sheet) => text.replace(sheet, ''), html)
  return (
    bare
      .replace(/<style[^>]*>/, (start) => start + tonesOf(bare))
      // A sheet holds up what is below it, and so not the frame.
      .replace(/\s*<aside id="hints"/, (below) => sheets.join('') + below)
  )
}

/** The frame has the colours of the theme, each of which is written down there only. */
function tonesOf(html: string): string {
  const theme = source('src/ui/theme.css')
  const names = new Set(html.match(/(?<=var\()--tone-[\w-]+/g))
  const tones = [...names].map(
    (name) => new RegExp(`^ *${name}: .*;$`, 'm').exec(theme)?.[0].trim() ?? missing(name),
  )
  const schemes = theme.match(/^:root\[data-theme[^}]*\}/gm) ?? []
  return [`:root { color-scheme: light dark; ${tones.join(' ')} }`, ...schemes].join('\n')
}

/**
 * What a page asks when it is opened without any wish in its address, as the console would send it;
 * e2e tests see that it is not asked again.
 */
const firstOf: Readonly<Record<string, readonly string[]>> = {
  '/vms': [
    question(vmDocuments.list, {
      filter: { search: null, states: null },
      orderBy: { by: 'name', direction: 'asc' },
      first: 50,
      after: null,
    }),
  ],
}

interface RouteFiles {
  path: string
  /** Shown to everybody, without the frame. */
  open: boolean
  files: string[]
  /** Asked for it in any case, and where its address says no more than the path. */
  questions: { always: readonly string[]; plain: readonly string[] }
}

/** Of each route the files that its page is made of, as far as they are not those of every page. */
function routesFrom(chunks: readonly Rolldown.OutputChunk[]): RouteFiles[] {
  const always = startOf(chunks)
  const [, ...routes] = source('src/app/routes.ts').split(/(?=path: ')/)
  return routes.map((route) => {
    const [, path = missing('a path'), page = missing('a page')] =
      /path: '([^']+)'[^]*import\('\.\.(\/pages\/[^']+)'\)/.exec(route) ?? []
    const chunk =
      chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(page)) ?? missing(page)
    const files = [...filesOf(chunk, chunks)].filter((file) => !always.has(file))
    const open = route.includes('open: true')
    const questions = { always: open ? [] : [question(viewerDocument)], plain: firstOf[path] ?? [] }
    return { path, open, files: files.map((file) => `/${file}`), questions }
  })
}

/** The body of the request, in the very words of the console's client. */
function question(document: DocumentInput, variables?: object): string {
  const { query } = createRequest(document, variables)
  return stringifyVariables(makeFetchBody({ query: formatDocument(query), variables }))
}

/** The files of every page. */
const startOf = (chunks: readonly Rolldown.OutputChunk[]): Set<string> =>
  filesOf(chunks.find(({ isEntry }) => isEntry) ?? missing('the first chunk'), chunks)

function filesOf(
  { fileName }: Rolldown.OutputChunk,
  chunks: readonly Rolldown.OutputChunk[],
): Set<string> {
  const chunkOf = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const files = new Set([fileName])
  for (const file of files) for (const needed of chunkOf.get(file)?.imports ?? []) files.add(needed)
  return files
}

function missing(what: string): never {
  throw new TypeError(`${what} is not where it is looked for`)
}
