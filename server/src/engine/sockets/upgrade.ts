import { type IncomingMessage, STATUS_CODES, type Server } from 'node:http'
import { type Duplex } from 'node:stream'
import { type Log } from '../../runtime/log.ts'

export interface Upgrade {
  request: IncomingMessage
  /** The connection itself, below the protocol that is about to be spoken on it. */
  stream: Duplex
  head: Buffer
  url: URL
}

/** A socket door: takes the connection over, or answers false when the path is not its own. */
type UpgradeDoor = (upgrade: Upgrade) => boolean

export interface Upgrades {
  /** Later doors are asked after earlier ones; answers how to take it away again. */
  add(door: UpgradeDoor): () => void
}

interface UpgradeParts {
  server: Server
  /** The exact origins whose pages may open sockets here, for a request that was sent to `host`. */
  allowedOrigins: (host: string) => readonly string[]
  log: Log
}

/**
 * The one listener for upgrades of a server: who may not is refused before any protocol is spoken,
 * then the doors are asked.
 */
export function upgradesOn({ server, allowedOrigins, log }: UpgradeParts): Upgrades {
  const doors = new Set<UpgradeDoor>()
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    // A peer that hangs up while it is being answered is no news; without a listener it would end
    // the process.
    stream.on('error', (error) => log.debug('a socket broke', { error }))
    const { host = '', origin } = request.headers
    if (!isWelcome(origin, allowedOrigins(host))) return refuseUpgrade(stream, 403)
    const url = URL.parse(request.url ?? '', 'http://berth')
    if (!url) return refuseUpgrade(stream, 400)
    for (const door of doors) if (door({ request, stream, head, url })) return
    refuseUpgrade(stream, 404)
  })
  return {
    add(door) {
      doors.add(door)
      return () => doors.delete(door)
    },
  }
}

/**
 * Compared as a whole: no prefix, suffix or pattern. Without an Origin the caller is no browser;
 * that is fine because a socket gets its rights from a token that its first message carries, never
 * from a cookie that a browser adds by itself.
 */
function isWelcome(origin: string | undefined, allowed: readonly string[]): boolean {
  return origin === undefined || allowed.includes(origin)
}

export function refuseUpgrade(stream: Duplex, status: number): void {
  const words = STATUS_CODES[status] ?? 'Refused'
  stream.end(
    `HTTP/1.1 ${status} ${words}\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${words.length}\r\n\r\n${words}`,
  )
}
