import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DocumentInput, createRequest, formatDocument, stringifyVariables } from '@urql/core'
import { makeFetchBody } from '@urql/core/internal'
import type { Plugin, Rolldown } from 'vite'
import { type PageFolder, pages } from './src/app/pages.ts'
import { viewerDocument } from './src/api/viewer.ts'
import { vmDocuments } from './src/api/vm/vms.ts'

/**
 * Lets the console's page paint before its files are loaded. Also writes `routes.json`, from which
 * the server learns which files a route needs.
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
      // A style sheet delays the content below it. Placed here, it does not delay the frame.
      .replace(/\s*<aside id="hints"/, (below) => sheets.join('') + below)
  )
}

/** Copies the colours that the frame uses from theme.css, which is their only source. */
function tonesOf(html: string): string {
  const theme = readFileSync(join(import.meta.dirname, 'src/ui/theme.css'), 'utf8')
  const names = new Set(html.match(/(?<=var\()--tone-[\w-]+/g))
  const tones = [...names].map(
    (name) => new RegExp(`^ *${name}: .*;$`, 'm').exec(theme)?.[0].trim() ?? missing(name),
  )
  const schemes = theme.match(/^:root\[data-theme[^}]*\}/gm) ?? []
  return [`:root { color-scheme: light dark; ${tones.join(' ')} }`, ...schemes].join('\n')
}

/**
 * The requests of a page whose URL has no query string, exactly as the console sends them. An e2e
 * test checks that the console does not send them again.
 */
const firstOf: Readonly<Partial<Record<PageFolder, readonly string[]>>> = {
  vms: [
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
  /** The page needs no session and has no frame. */
  open: boolean
  files: string[]
  /** Requests to prefetch: always, and only when the URL has no query string. */
  questions: { always: readonly string[]; plain: readonly string[] }
}

/** Lists each route with the files of its page, without the files that every page loads. */
function routesFrom(chunks: readonly Rolldown.OutputChunk[]): RouteFiles[] {
  const always = startOf(chunks)
  const menu = filesOf(chunkOfFile(/\/app\/AppNav\.vue$/, chunks), chunks)
  return pages.map((route) => {
    const { page, path } = route
    const open = 'open' in route
    const pageFiles = filesOf(chunkOf(page, chunks), chunks)
    const files = [...pageFiles.union(open ? new Set<string>() : menu)].filter(
      (file) => !always.has(file),
    )
    const questions = { always: open ? [] : [question(viewerDocument)], plain: firstOf[page] ?? [] }
    return { path, open, files: files.map((file) => `/${file}`), questions }
  })
}

/** Finds the chunk of the page in this folder of `pages`. */
const chunkOf = (page: PageFolder, chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk =>
  chunkOfFile(new RegExp(`/pages/${page}/\\w+Page\\.vue$`), chunks)

const chunkOfFile = (file: RegExp, chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk =>
  chunks.find(({ facadeModuleId }) => file.test(facadeModuleId ?? '')) ?? missing(String(file))

/** Builds the request body, byte for byte as the console's client does. */
function question(document: DocumentInput, variables?: object): string {
  const { query } = createRequest(document, variables)
  return stringifyVariables(makeFetchBody({ query: formatDocument(query), variables }))
}

/** Returns the files that every page loads. */
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

function missing(name: string): never {
  throw new TypeError(`${name} was not found in the build`)
}
