import { type IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { type ApiCall, pathOf } from '../api-call.ts'
import { type Endpoint } from '../endpoint.ts'

interface Upgrade {
  endpoint: Endpoint
  call: ApiCall
  timeoutMs: number
}

/** The only subprotocol of KubeVirt's streams: bytes in binary frames, without channels. */
const protocol = 'plain.kubevirt.io'

/**
 * Opens a WebSocket, or returns the response that refused it. The socket is paused, so that no
 * early bytes are lost before it is read.
 */
export function upgrade({
  endpoint,
  call,
  timeoutMs,
}: Upgrade): Promise<WebSocket | IncomingMessage> {
  const { url, headers, ca, cert, key, acceptAnyCertificate } = endpoint
  const socket = new WebSocket(
    `${url.replace(/^http/, 'ws').replace(/\/$/, '')}${pathOf(call)}`,
    [protocol],
    {
      headers: { 'user-agent': 'berth', ...headers },
      handshakeTimeout: timeoutMs,
      perMessageDeflate: false,
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      rejectUnauthorized: acceptAnyCertificate !== true,
    },
  )
  return new Promise((done, failed) => {
    socket.once('open', () => {
      socket.off('error', failed)
      socket.pause()
      done(socket)
    })
    socket.once('unexpected-response', (_request, response: IncomingMessage) => done(response))
    socket.once('error', failed)
  })
}
