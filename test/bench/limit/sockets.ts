/* The lower limit for the cost of a fan-out: one prepared string and `ws.send`. */
import { type AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { serveRequests } from '../process/channel.ts'

const sockets = new Set<WebSocket>()
const server = new WebSocketServer({
  port: 0,
  host: '127.0.0.1',
  perMessageDeflate: false,
  clientTracking: false,
})
server.on('connection', (socket) => sockets.add(socket))

async function send({ text }: { text: string }): Promise<string> {
  const at = process.hrtime.bigint()
  for (const socket of sockets) socket.send(text)
  return String(at)
}

process.once('SIGTERM', () => process.exit())
server.once('listening', () => {
  // The address of a TCP server is an AddressInfo.
  serveRequests({ port: (server.address() as AddressInfo).port }, send)
})
