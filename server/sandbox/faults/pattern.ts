import { type IncomingMessage } from 'node:http'

/** Selects the requests of a fault. An absent field matches every request. */
export interface RequestPattern {
  /** GET, POST …, or WATCH for watch requests, which GET does not match. */
  method?: string
  /** The path without the query; `*` matches any text. */
  path?: string
}

export interface RequestTarget {
  method: string
  path: string
}

export function requestTargetOf({ method = 'GET', url = '/' }: IncomingMessage): RequestTarget {
  const [path = '/', query = ''] = url.split(/\?(.*)/s)
  const isWatch = ['1', 'true'].includes(new URLSearchParams(query).get('watch') ?? '')
  return { method: method === 'GET' && isWatch ? 'WATCH' : method, path }
}

export function matchesPattern({ method, path }: RequestPattern, target: RequestTarget): boolean {
  if (method !== undefined && method.toUpperCase() !== target.method) return false
  return path === undefined || expressionFor(path).test(target.path)
}

const expressionFor = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.*')}$`,
    's',
  )
