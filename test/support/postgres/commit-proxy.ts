import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/**
 * A proxy between Berth and PostgreSQL that recognises a COMMIT in the wire protocol. It cuts the
 * connection of one transaction, which it finds by a text among the parameters. The cut happens
 * before the COMMIT reaches the server, or after the server has answered it.
 */
export interface CommitProxy {
  readonly port: number
  /** Arms one cut and resolves when it has happened. */
  cut(marker: string, where: 'before' | 'after'): Promise<void>
  close(): Promise<void>
}

interface Armed {
  marker: string
  where: 'before' | 'after'
  done: () => void
}

/** Starts the proxy in front of PostgreSQL's socket. */
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
  let matched: Armed | null = null
  const cutConnection = (found: Armed): void => {
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
      if (found?.where === 'before') return cutConnection(found)
      matched = found ?? matched
      upstream.write(frame)
    }
  })
  upstream.on('data', (chunk) => {
    // The server's command tag of a completed commit.
    if (matched && Buffer.from(chunk).includes('COMMIT\0')) cutConnection(matched)
    else client.write(chunk)
  })
}

/** Returns the size of the first frame. The first message of a connection has no type byte. */
function frameSize(bytes: Buffer, isStarted: boolean): number {
  if (bytes.length < 5) return 0
  return isStarted ? 1 + bytes.readInt32BE(1) : bytes.readInt32BE(0)
}
