import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** The faults that the proxy injects into connections, named as in Toxiproxy. */
export interface Chaos {
  /** Delays each chunk in both directions. */
  latencyMs: number
  /** Closes new connections at once. */
  refuse: boolean
  /** Drops data and FIN, so that connections neither progress nor end. */
  blackHole: boolean
  /** Cuts a connection after this many bytes from upstream. */
  cutAfterBytes: number
}

export interface ChaosProxy {
  port: number
  chaos: Chaos
  /** The number of connections since the start. */
  connections(): number
  /** Sends RST to every client at once. */
  reset(): void
  /** Ends every connection with FIN. */
  end(): void
  heal(): void
  close(): Promise<void>
}

const calm = (): Chaos => ({
  latencyMs: 0,
  refuse: false,
  blackHole: false,
  cutAfterBytes: Infinity,
})

/** Starts a TCP proxy to the target. Tests set its faults while connections are open. */
export async function startChaosProxy(target: { host: string; port: number }): Promise<ChaosProxy> {
  const chaos = calm()
  const clients = new Set<Socket>()
  let connections = 0
  const server = createServer({ allowHalfOpen: true }, (client) => {
    connections += 1
    clients.add(client)
    client.once('close', () => clients.delete(client))
    if (chaos.refuse) client.resetAndDestroy()
    else join(client, connect(target), chaos)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    // A server that listens on a port has an address of this form.
    port: (server.address() as AddressInfo).port,
    chaos,
    connections: () => connections,
    reset: () => clients.forEach((client) => client.resetAndDestroy()),
    end: () => clients.forEach((client) => client.end()),
    heal: () => void Object.assign(chaos, calm()),
    async close() {
      clients.forEach((client) => client.destroy())
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

function join(client: Socket, upstream: Socket, chaos: Chaos): void {
  void pump(client, upstream, { chaos, limit: () => Infinity })
  void pump(upstream, client, { chaos, limit: () => chaos.cutAfterBytes })
  for (const socket of [client, upstream]) socket.on('error', () => undefined)
  client.once('close', () => upstream.destroy())
  upstream.once('close', () => {
    // In a black hole the client must not notice that the upstream closed.
    if (!chaos.blackHole) client.destroy()
  })
}

async function pump(
  from: Socket,
  to: Socket,
  { chaos, limit }: { chaos: Chaos; limit: () => number },
): Promise<void> {
  let passed = 0
  try {
    // Without an encoding a socket yields buffers only.
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (chaos.latencyMs > 0) await pause(chaos.latencyMs)
      if (chaos.blackHole) continue
      const allowed = chunk.subarray(0, Math.max(0, limit() - passed))
      passed += allowed.length
      to.write(allowed)
      if (allowed.length < chunk.length) to.destroySoon()
    }
    if (!chaos.blackHole) to.end()
  } catch {
    to.destroy()
  }
}
