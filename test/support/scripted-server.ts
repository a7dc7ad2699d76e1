import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'

export interface ScriptedServer {
  url: string
  requests: { method: string; path: string; at: number }[]
  close(): Promise<void>
}

/** A server that answers as the test says and remembers what it was asked. */
export async function scriptedServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<ScriptedServer> {
  const requests: ScriptedServer['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', path: request.url ?? '', at: performance.now() })
    answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    // A server that listens on a port has an address of this form.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      await closed
    },
  }
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', ...(status === 429 ? { 'retry-after': '1' } : {}) })
  response.end(JSON.stringify(body))
}
