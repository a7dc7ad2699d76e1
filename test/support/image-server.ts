import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'

/** Where a cluster finds images, under any name, and where it finds none. */
export interface Images extends AsyncDisposable {
  origin: string
  missing: string
}

/** A server of a small image on this machine; or the given one, for a cluster that cannot reach this machine. */
export async function serveImages(given?: string): Promise<Images> {
  const disk = Buffer.alloc(1024 * 1024, 1)
  const server = createServer((request, response) => {
    const isThere = request.url?.endsWith('.qcow2') === true
    response.writeHead(isThere ? 200 : 404, { 'content-length': isThere ? disk.length : 0 })
    response.end(request.method === 'HEAD' || !isThere ? undefined : disk)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  const origin = given ?? `http://127.0.0.1:${port}`
  return {
    origin,
    missing: `${origin}/nothing`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
