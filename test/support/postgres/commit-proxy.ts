import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * Between Berth and PostgreSQL. It reads the wire protocol just far enough to see a COMMIT, and
 * cuts the connection of the one transaction that is looked for (known by a text among its
 * parameters) before the COMMIT has reached the server, or after the server has answered it.
 */
export interface CommitProxy {
  readonly port: number
  /** Arms one cut; resolves when it has happened. */
  cut(marker: string, where: 'before' | 'after'): Promise<void>
  close(): Promise<void>
}

interface Armed {
  marker: string
  where: 'before' | 'after'
  done: () => void
}

export async function startCommitProxy(socketPath: string): Promise<CommitProxy> {
  const armed = new Set<Armed>()
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(socketPath)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => sockets.delete(socket))
    }
    client.once('close', () => upstream.destroy())
    upstream.once('close', () => client.destroy())
    watch(client, upstream, armed)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    cut: (marker, where) => new Promise<void>((done) => armed.add({ marker, where, done })),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

function watch(client: Socket, upstream: Socket, armed: Set<Armed>): void {
  let pending = Buffer.alloc(0)
  let isStarted = false
  let transaction = ''
  let struck: Armed | null = null
  const strike = (found: Armed): void => {
    armed.delete(found)
    client.resetAndDestroy()
    upstream.destroy()
    found.done()
  }
  client.on('data', (chunk) => {
    pending = Buffer.concat([pending, Buffer.from(chunk)])
    for (
      let size = frameSize(pending, isStarted);
      size > 0 && pending.length >= size;
      size = frameSize(pending, isStarted)
    ) {
      const frame = pending.subarray(0, size)
      pending = pending.subarray(size)
      const text = isStarted ? frame.toString('latin1') : ''
      isStarted = true
      if (/^Q....begin/is.test(text)) transaction = ''
      transaction += text
      const found = /^Q....commit/is.test(text)
        ? [...armed].find(({ marker }) => transaction.includes(marker))
        : undefined
      if (found?.where === 'before') return strike(found)
      struck = found ?? struck
      upstream.write(frame)
    }
  })
  upstream.on('data', (chunk) => {
    // The server's word for a commit that has happened.
    if (struck && Buffer.from(chunk).includes('COMMIT\0')) strike(struck)
    else client.write(chunk)
  })
}

/** The first message has no type; each other one has its length after one byte of type. */
function frameSize(bytes: Buffer, isStarted: boolean): number {
  if (bytes.length < 5) return 0
  return isStarted ? 1 + bytes.readInt32BE(1) : bytes.readInt32BE(0)
}
