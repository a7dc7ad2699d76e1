import { createHash } from 'node:crypto'
import { type IncomingMessage } from 'node:http'

/** What RFC 6455 has every server add to the client's key. */
const salt = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

const has = (header: string | undefined, token: string): boolean =>
  (header ?? '').split(',').some((each) => each.trim().toLowerCase() === token)

const notSpoken = 'websocket: the client is not using the websocket protocol:'

/**
 * Why the request opens no WebSocket, in the words of the library that KubeVirt uses; null when it
 * does.
 */
export function brokenHandshake({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): string | null {
  if (!has(headers.connection, 'upgrade'))
    return `${notSpoken} 'upgrade' token not found in 'Connection' header`
  if (!has(headers.upgrade, 'websocket'))
    return `${notSpoken} 'websocket' token not found in 'Upgrade' header`
  if (method !== 'GET') return `${notSpoken} request method is not GET`
  if (headers['sec-websocket-version'] !== '13')
    return "websocket: unsupported version: 13 not found in 'Sec-Websocket-Version' header"
  const key = Buffer.from(headers['sec-websocket-key'] ?? '', 'base64')
  if (key.length !== 16)
    return "websocket: not a websocket handshake: 'Sec-WebSocket-Key' header must be Base64 encoded value of 16-byte in length"
  return null
}

export const protocolsOffered = ({ headers }: Pick<IncomingMessage, 'headers'>): string[] =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/**
 * The answer that turns the connection into a WebSocket of that protocol, if the client offered it.
 */
export function acceptance(request: IncomingMessage, protocol: string): string {
  const key = `${request.headers['sec-websocket-key'] ?? ''}${salt}`
  const accept = createHash('sha1').update(key).digest('base64')
  const chosen = protocolsOffered(request).includes(protocol)
    ? [`Sec-WebSocket-Protocol: ${protocol}`]
    : []
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...chosen,
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}
