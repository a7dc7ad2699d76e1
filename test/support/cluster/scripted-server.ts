import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo } from 'node:net'
import { makeServingCertificates } from '../../../server/sandbox/trust/certificates.ts'

/** A server whose answers a test decides. */
export interface ScriptedServer {
  url: string
  requests: { method: string; path: string; at: number; authorization: string | undefined }[]
  close(): Promise<void>
}

export interface SecureServer extends ScriptedServer {
  ca: string
  /** The server itself, for tests of upgrades. */
  server: Server
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a server that answers by the test's function and records its requests. */
export const scriptedServer = (answer: Answer): Promise<ScriptedServer> =>
  listening('http', (listener) => createServer(listener), answer)

/** Starts a scripted server with TLS, like every real cluster. */
export async function secureServer(answer: Answer): Promise<SecureServer> {
  const { ca, cert, key } = makeServingCertificates()
  return {
    ...(await listening(
      'https',
      (listener) => createSecureServer({ cert, key }, listener),
      answer,
    )),
    ca,
  }
}

async function listening(
  scheme: string,
  make: (listener: RequestListener) => Server,
  answer: Answer,
): Promise<ScriptedServer & { server: Server }> {
  const requests: ScriptedServer['requests'] = []
  const server = make((request, response) => {
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, at: performance.now(), authorization: headers.authorization })
    answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    // A server that listens on a port has an address of this form.
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    requests,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
  }
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(status === 429 ? { 'retry-after': '1' } : {}),
  })
  response.end(JSON.stringify(body))
}
