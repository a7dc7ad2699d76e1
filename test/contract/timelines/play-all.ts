import { serveImages } from '../../support/image-server.ts'
import { type KubeDoor } from '../../support/sandbox.ts'
import { type Clusters } from '../replay-clusters.ts'
import { play } from './play.ts'
import { type Timeline } from './recorded.ts'

/** Plays every timeline on some cluster; what differs, by id, nothing for those that went as recorded. */
export async function playAll(clusters: Clusters, timelines: readonly Timeline[], imagesUrl?: string): Promise<Map<string, string[]>> {
  const differing = new Map<string, string[]>()
  const waiting = [...timelines]
  await using images = await serveImages(imagesUrl)
  const work = async (door: KubeDoor): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const found = await play({ door, served: clusters.served, image: images }, next).catch((error: unknown) => [String(error)])
      if (found.length > 0) differing.set(next.id, found)
    }
  }
  await Promise.all(clusters.doors.map(work))
  return differing
}
