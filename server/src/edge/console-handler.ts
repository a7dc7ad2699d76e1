import { hash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { type IncomingHttpHeaders } from 'node:http'
import { extname, join } from 'node:path'
import { type Door } from '../engine/http/http.ts'
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

const noncePlace = '__CSP_NONCE__'
const sessionPlace = '__SESSION__'
const questionsPlace = '__QUESTIONS__'
const keptPlace = ' data-kept="__KEPT__"'

interface ConsoleParts {
  folder: string
  /**
   * Whether the browser brings the cookie of a session: then the page begins with the frame, and
   * asks for its token before anything else.
   */
  hasSession: (cookies: string | undefined) => boolean
}

/**
 * The built console, held in memory: a few hundred kilobytes, read once. Unknown paths get the
 * page, which routes them.
 */
export async function consoleDoor({ folder, hasSession }: ConsoleParts): Promise<Door> {
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
      : pageReply(page, url, guestFrom(headers))
  }
  const guestFrom = (headers: IncomingHttpHeaders): Guest => ({
    hasSession: hasSession(headers.cookie),
    kept: keptIn(headers.cookie),
    openerPolicy: headers['sec-fetch-site'] === 'none' ? 'unsafe-none' : 'same-origin',
  })
  return ({ url, method, request }) =>
    method === 'GET' || method === 'HEAD' ? find(url, request.headers) : null
}

interface Guest {
  hasSession: boolean
  /** As the page begins with it. */
  kept: string
  /**
   * Who opened a page keeps a hold on it, unless the page says that it is to be on its own. To say
   * so costs it 35 ms: the browser begins another process once it has heard it. So it is said to
   * whom a page has sent, and not where the browser says that nobody has: an address that was
   * typed.
   */
  openerPolicy: 'same-origin' | 'unsafe-none'
}

/**
 * What a page is drawn by, which the console keeps in cookies (web/src/runtime/page-cookie.ts):
 * nothing but these is written into it.
 */
const wishes = { theme: ['light', 'dark'], language: languageTags, visits: ['yes'] }

function keptIn(cookies = ''): string {
  const brought = new Set(cookies.split('; '))
  return Object.entries(wishes)
    .flatMap(([name, values]) =>
      values
        .filter((value) => brought.has(`berth-${name}=${value}`))
        .map((value) => ` data-${name}="${value}"`),
    )
    .join('')
}

function fileReply(name: string, body: Buffer): Reply {
  // Built assets carry a hash in their name, so they never change.
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
  /** What the policy allows to run beside files: the scripts that the page itself holds. */
  scripts: string
  routes: readonly (ConsoleRoute & { pattern: URLPattern })[]
}

/** As the build writes them down (web/first-load.ts). */
interface ConsoleRoute {
  path: string
  open: boolean
  files: readonly string[]
  /** What its page asks first: in any case, and where the address says no more than the path. */
  questions: { always: readonly string[]; plain: readonly string[] }
}

/** Neither of the two that it is made from is there for visitors. */
function pageOf(files: Map<string, Reply>): Page | null {
  const text = files.get('/index.html')?.body.toString()
  const routes = files.get('/routes.json')?.body.toString()
  files.delete('/index.html')
  files.delete('/routes.json')
  if (text === undefined || routes === undefined) return null
  const scripts = [...text.matchAll(/<script>([^]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${hash('sha256', script, 'base64')}'`,
  )
  // What our own build wrote.
  const known = JSON.parse(routes) as ConsoleRoute[]
  return {
    text,
    scripts: scripts.join(' '),
    routes: known.map((route) => ({ ...route, pattern: new URLPattern({ pathname: route.path }) })),
  }
}

function pageReply(
  { text, scripts, routes }: Page,
  { pathname, search }: URL,
  { hasSession, kept, openerPolicy }: Guest,
): Reply {
  const nonce = randomToken(16)
  const headers = {
    ...pageHeaders,
    'cross-origin-opener-policy': openerPolicy,
    'content-security-policy': policy(nonce, scripts),
  }
  const route = routes.find(({ pattern }) => pattern.test({ pathname }))
  const { always = [], plain = [] } = route?.questions ?? {}
  const early = (route?.files ?? []).map(
    (file) => `<link rel="modulepreload" crossorigin href="${file}">`,
  )
  const body = text
    .replaceAll(noncePlace, nonce)
    .replace(sessionPlace, !route?.open && hasSession ? 'yes' : 'no')
    .replace(keptPlace, kept)
    .replace(questionsPlace, () =>
      JSON.stringify(search === '' ? [...always, ...plain] : always).replaceAll('<', '\\u003c'),
    )
    .replace('</head>', () => `${early.join('')}</head>`)
  return { status: 200, headers, body }
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** Nothing from another origin, nothing inline that we did not write. */
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
