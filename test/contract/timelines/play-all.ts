import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { type KubeDoor } from '../../support/sandbox.ts'
import { type Clusters } from '../replay-clusters.ts'
import { play } from './play.ts'
import { type Timeline } from './recorded.ts'

/** Plays every timeline on some cluster; what differs, by id, nothing for those that went as recorded. */
export async function playAll(clusters: Clusters, timelines: readonly Timeline[], imageUrl?: string): Promise<Map<string, string[]>> {
  const differing = new Map<string, string[]>()
  const waiting = [...timelines]
  const images = await serveImage()
  const image = { good: imageUrl ?? `${images.url}/disk.img`, missing: `${new URL(imageUrl ?? images.url).origin}/nothing.img` }
  const work = async (door: KubeDoor): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const found = await play({ door, served: clusters.served, image }, next).catch((error: unknown) => [String(error)])
      if (found.length > 0) differing.set(next.id, found)
    }
  }
  await Promise.all(clusters.doors.map(work))
  images.close()
  return differing
}

async function serveImage(): Promise<{ url: string; close(): void }> {
  const disk = Buffer.alloc(1024 * 1024, 1)
  const server = createServer((request, response) => {
    const isThere = request.url === '/disk.img'
    response.writeHead(isThere ? 200 : 404, { 'content-length': isThere ? disk.length : 0 })
    response.end(request.method === 'HEAD' || !isThere ? undefined : disk)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => void (server.closeAllConnections(), server.close()) }
}
