import { readFile, readdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { type Door } from './http.ts'
import { type Reply } from './reply.ts'
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

/** The built console, held in memory: a few hundred kilobytes, read once. Unknown paths get the page, which routes them. */
export async function consoleDoor(folder: string): Promise<Door> {
  const files = new Map<string, Reply>()
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    files.set(file.slice(folder.length).replaceAll('\\', '/'), fileReply(entry.name, await readFile(file)))
  }
  const page = files.get('/index.html')?.body.toString() ?? null
  const find = (path: string): Reply | null => {
    const file = path === '/index.html' ? undefined : files.get(path)
    if (file) return file
    return page === null || path.startsWith('/assets/') ? null : pageReply(page)
  }
  return ({ url, method }) => (method === 'GET' || method === 'HEAD' ? find(url.pathname) : null)
}

function fileReply(name: string, body: Buffer): Reply {
  // Built assets carry a hash in their name, so they never change.
  const cache = /-[\w-]{8,}\.\w+$/.test(name) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
  return { status: 200, headers: { 'content-type': types[extname(name)] ?? 'application/octet-stream', 'cache-control': cache }, body }
}

function pageReply(page: string): Reply {
  const nonce = randomToken(16)
  const headers = { ...pageHeaders, 'content-security-policy': policy(nonce) }
  return { status: 200, headers, body: page.replaceAll(noncePlace, nonce) }
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
}

/** Nothing from another origin, nothing inline that we did not write. */
const policy = (nonce: string): string =>
  [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `manifest-src 'self'`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')
