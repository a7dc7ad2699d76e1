import { type IncomingMessage, STATUS_CODES, type Server } from 'node:http'
import { type Duplex } from 'node:stream'
import { type Log } from '../../runtime/log.ts'

export interface Upgrade {
  request: IncomingMessage
  /** The raw connection, before the WebSocket handshake. */
  stream: Duplex
  head: Buffer
  url: URL
}

/** Takes the connection over, or returns false when the path is not its own. */
type UpgradeHandler = (upgrade: Upgrade) => boolean

export interface Upgrades {
  /** Adds a handler after the existing ones. Returns a function that removes it. */
  add(handler: UpgradeHandler): () => void
}

interface UpgradeParts {
  server: Server
  /** The exact origins whose pages may open sockets, for a request that was sent to `host`. */
  allowedOrigins: (host: string) => readonly string[]
  log: Log
}

/**
 * The only upgrade listener of a server. It refuses foreign origins before any handshake, then asks
 * the handlers.
 */
export function createUpgrades({ server, allowedOrigins, log }: UpgradeParts): Upgrades {
  const handlers = new Set<UpgradeHandler>()
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // A peer may disconnect while it is being answered. Without a listener the error would end the
    // process.
    stream.on('error', (error) => log.debug('socket.connection_broken', { error }))
    const { host = '', origin } = request.headers
    if (!isAllowedOrigin(origin, allowedOrigins(host))) return refuseUpgrade(stream, 403)
    const url = URL.parse(request.url ?? '', 'http://berth')
    if (!url) return refuseUpgrade(stream, 400)
    for (const handler of handlers) if (handler({ request, stream, head, url })) return
    refuseUpgrade(stream, 404)
  })
  return {
    add(handler) {
      handlers.add(handler)
      return () => handlers.delete(handler)
    },
  }
}

/**
 * Compares whole origins, without prefixes, suffixes or patterns. A request without Origin is not
 * from a browser. That is safe: a socket gets its permissions from a token in its first message,
 * never from a cookie.
 */
function isAllowedOrigin(origin: string | undefined, allowed: readonly string[]): boolean {
  return origin === undefined || allowed.includes(origin)
}

/** Answers the upgrade with a status and a sentence, by default the name of the status. */
export function refuseUpgrade(stream: Duplex, status: number, text?: string): void {
  const reason = STATUS_CODES[status] ?? 'Refused'
  const body = Buffer.from(text ?? reason)
  const headers = `connection: close\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${body.length}`
  stream.end(`HTTP/1.1 ${status} ${reason}\r\n${headers}\r\n\r\n${body.toString()}`)
}
