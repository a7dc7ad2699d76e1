import { readFile } from 'node:fs/promises'
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  createServer as createHttpServer,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo } from 'node:net'
import { type Config } from '../runtime/config/config.ts'
import { type Stop } from '../runtime/stop.ts'

/** Creates the server for a listener, with TLS when it is configured. */
export async function createServer(
  { server: { tls } }: Pick<Config, 'server'>,
  listener: RequestListener,
): Promise<Server> {
  const limits = {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384,
    // A client that offers HTTP/2 (`Upgrade: h2c`) is answered over HTTP/1.1, as RFC 9110 allows.
    shouldUpgradeCallback: ({ headers: { upgrade = '' } }: IncomingMessage) =>
      /\bwebsocket\b/i.test(upgrade),
  }
  if (!tls) return createHttpServer(limits, listener)
  const [cert, key] = await Promise.all([readFile(tls.cert), readFile(tls.key)])
  return createHttpsServer({ ...limits, cert, key, minVersion: 'TLSv1.2' }, listener)
}

/** Listens on the address, and returns the port. Port 0 takes a free one. */
export function listen(
  server: Server,
  { host, port, stop }: { host: string; port: number; stop: Stop },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      stop.onStop('HTTP', () => closeServer(server), 15_000)
      // A server that listens on a port has an address of this form.
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Finishes accepted requests and closes idle connections immediately. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
}
