import { hash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { type IncomingHttpHeaders } from 'node:http'
import { extname, join } from 'node:path'
import { type Handler } from '../engine/http/http.ts'
import { languageTags } from '../../../schema/messages/languages.ts'
import { type Reply } from '../engine/http/reply.ts'
import { randomToken } from '../runtime/ids.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

const noncePlaceholder = '__CSP_NONCE__'
const sessionPlaceholder = '__SESSION__'
const questionsPlaceholder = '__QUESTIONS__'
const settingsPlaceholder = ' data-kept="__KEPT__"'

interface ConsoleParts {
  folder: string
  /**
   * True when the browser sends the cookie of a session. The page then begins with the frame and
   * requests its token first.
   */
  hasSession: (cookies: string | undefined) => boolean
}

/**
 * Serves the built console from memory: a few hundred kilobytes, read once. Unknown paths get the
 * page, whose router handles them.
 */
export async function consoleHandler({ folder, hasSession }: ConsoleParts): Promise<Handler> {
  const files = new Map<string, Reply>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    () => [],
  )) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    files.set(
      file.slice(folder.length).replaceAll('\\', '/'),
      fileReply(entry.name, await readFile(file)),
    )
  }
  const page = pageOf(files)
  const find = (url: URL, headers: IncomingHttpHeaders): Reply | null => {
    const { pathname } = url
    const file = files.get(pathname)
    if (file) return file
    return page === null || pathname.startsWith('/assets/')
      ? null
      : pageReply(page, url, pageRequestFrom(headers))
  }
  const pageRequestFrom = (headers: IncomingHttpHeaders): PageRequest => ({
    hasSession: hasSession(headers.cookie),
    settings: settingsIn(headers.cookie),
    openerPolicy: headers['sec-fetch-site'] === 'none' ? 'unsafe-none' : 'same-origin',
  })
  return ({ url, method, request }) =>
    method === 'GET' || method === 'HEAD' ? find(url, request.headers) : null
}

interface PageRequest {
  hasSession: boolean
  /** The attributes that the page begins with. */
  settings: string
  /**
   * `same-origin` separates the page from the window that opened it, which costs 35 ms: the browser
   * starts another process when it reads the header. A page that no other page opened (a typed
   * address) needs no separation.
   */
  openerPolicy: 'same-origin' | 'unsafe-none'
}

/**
 * The settings of a page, which the console stores in cookies (web/src/runtime/page-cookie.ts).
 * Only these values are written into the page.
 */
const pageSettings = { theme: ['light', 'dark'], language: languageTags, visits: ['yes'] }

function settingsIn(cookies = ''): string {
  const sentCookies = new Set(cookies.split('; '))
  return Object.entries(pageSettings)
    .flatMap(([name, values]) =>
      values
        .filter((value) => sentCookies.has(`berth-${name}=${value}`))
        .map((value) => ` data-${name}="${value}"`),
    )
    .join('')
}

function fileReply(name: string, body: Buffer): Reply {
  // The names of built assets contain a hash, so their content never changes.
  const cache = /-[\w-]{8,}\.\w+$/.test(name)
    ? 'public, max-age=31536000, immutable'
    : 'public, max-age=3600'
  return {
    status: 200,
    headers: {
      'content-type': types[extname(name)] ?? 'application/octet-stream',
      'cache-control': cache,
    },
    body,
  }
}

interface Page {
  text: string
  /** The inline scripts of the page, which the policy allows in addition to files. */
  scripts: string
  routes: readonly (ConsoleRoute & { pattern: URLPattern })[]
}

/** The format that the build writes (web/first-load.ts). */
interface ConsoleRoute {
  path: string
  /** True when the page needs no session, such as the login page. */
  open: boolean
  files: readonly string[]
  /** The first queries of the page: `always`, and `plain` when the address has no query string. */
  questions: { always: readonly string[]; plain: readonly string[] }
}

/**
 * Builds the page from its template and the routes. It removes both from the files, so that clients
 * cannot load them.
 */
function pageOf(files: Map<string, Reply>): Page | null {
  const text = files.get('/index.html')?.body.toString()
  const routes = files.get('/routes.json')?.body.toString()
  files.delete('/index.html')
  files.delete('/routes.json')
  if (text === undefined || routes === undefined) return null
  const scripts = [...text.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`,
  )
  // The build of the console wrote this file.
  const consoleRoutes = JSON.parse(routes) as ConsoleRoute[]
  return {
    text,
    scripts: scripts.join(' '),
    routes: consoleRoutes.map((route) => ({
      ...route,
      pattern: new URLPattern({ pathname: route.path }),
    })),
  }
}

function pageReply(
  { text, scripts, routes }: Page,
  { pathname, search }: URL,
  { hasSession, settings, openerPolicy }: PageRequest,
): Reply {
  const nonce = randomToken(16)
  const headers = {
    ...pageHeaders,
    'cross-origin-opener-policy': openerPolicy,
    'content-security-policy': policy(nonce, scripts),
  }
  const route = routes.find(({ pattern }) => pattern.test({ pathname }))
  const { always = [], plain = [] } = route?.questions ?? {}
  const preloads = (route?.files ?? []).map(
    (file) => `<link rel="modulepreload" crossorigin href="${file}">`,
  )
  const body = text
    .replaceAll(noncePlaceholder, nonce)
    .replace(sessionPlaceholder, !route?.open && hasSession ? 'yes' : 'no')
    .replace(settingsPlaceholder, settings)
    .replace(questionsPlaceholder, () =>
      JSON.stringify(search === '' ? [...always, ...plain] : always).replaceAll('<', '\\u003c'),
    )
    .replace('</head>', () => `${preloads.join('')}</head>`)
  return { status: 200, headers, body }
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** Allows nothing from another origin, and only the inline scripts of the build. */
const policy = (nonce: string, scripts: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self' ${scripts}`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
