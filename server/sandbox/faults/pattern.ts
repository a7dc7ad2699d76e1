import { type IncomingMessage } from 'node:http'

/** Which requests a fault is for; what is left out is any. */
export interface RequestPattern {
  /** GET, POST …; WATCH for the GETs that watch, which GET leaves out. */
  method?: string
  /** The path without its query; `*` stands for anything. */
  path?: string
}

export interface Asked {
  method: string
  path: string
}

export function askedBy({ method = 'GET', url = '/' }: IncomingMessage): Asked {
  const [path = '/', query = ''] = url.split(/\?(.*)/s)
  const watching = ['1', 'true'].includes(new URLSearchParams(query).get('watch') ?? '')
  return { method: method === 'GET' && watching ? 'WATCH' : method, path }
}

export function fits({ method, path }: RequestPattern, asked: Asked): boolean {
  if (method !== undefined && method.toUpperCase() !== asked.method) return false
  return path === undefined || expressionFor(path).test(asked.path)
}

const expressionFor = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('.*')}$`,
    's',
  )
