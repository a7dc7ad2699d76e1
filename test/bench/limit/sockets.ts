/* What telling many sockets something can cost at best: one prepared string and `ws.send`. */
import { type AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { answering } from '../process/channel.ts'

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
  // A server on TCP has an address of this form.
  answering({ port: (server.address() as AddressInfo).port }, send)
})
