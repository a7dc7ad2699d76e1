import { WebSocket } from 'ws'

/** The far end of the fan-out measurement: many sockets of both kinds, counting what they hear. Runs as a process of its own. */
const [url = '', token = '', query = '', count = '0'] = process.argv.slice(2)

let received = 0
const tell = (message: object): void => void process.send?.(message)

function open(path: string, protocol: string[]): Promise<WebSocket> {
  const socket = new WebSocket(`${url}${path}`, protocol, { perMessageDeflate: false })
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
    socket.once('close', (code) => tell({ closed: code }))
  })
}

async function openBoth(index: number): Promise<void> {
  const [plain, subscriber] = await Promise.all([open('/plain', []), open('/graphql', ['graphql-transport-ws'])])
  plain.on('message', heard)
  subscriber.once('message', () => {
    subscriber.on('message', heard)
    subscriber.send(
      JSON.stringify({ id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, type: 'subscribe', payload: { query } }),
    )
    tell({ subscribed: true })
  })
  subscriber.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
}

function heard(): void {
  received += 1
  if (received % Number(count) === 0) tell({ rounds: received / Number(count) })
}

for (let index = 0; index < Number(count); index += 20)
  await Promise.all(Array.from({ length: Math.min(20, Number(count) - index) }, (_, n) => openBoth(index + n)))
