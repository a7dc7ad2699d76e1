import { type IncomingMessage } from 'node:http'

const has = (header: string | undefined, token: string): boolean =>
  (header ?? '').split(',').some((each) => each.trim().toLowerCase() === token)

const notWebSocket = 'websocket: the client is not using the websocket protocol:'

/**
 * Returns why the request is not a WebSocket handshake, in the words of the library that KubeVirt
 * uses; null when it is one.
 */
export function brokenHandshake({
  method,
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): string | null {
  if (!has(headers.connection, 'upgrade'))
    return `${notWebSocket} 'upgrade' token not found in 'Connection' header`
  if (!has(headers.upgrade, 'websocket'))
    return `${notWebSocket} 'websocket' token not found in 'Upgrade' header`
  if (method !== 'GET') return `${notWebSocket} request method is not GET`
  if (headers['sec-websocket-version'] !== '13')
    return "websocket: unsupported version: 13 not found in 'Sec-Websocket-Version' header"
  const key = Buffer.from(headers['sec-websocket-key'] ?? '', 'base64')
  if (key.length !== 16)
    return "websocket: not a websocket handshake: 'Sec-WebSocket-Key' header must be Base64 encoded value of 16-byte in length"
  return null
}
