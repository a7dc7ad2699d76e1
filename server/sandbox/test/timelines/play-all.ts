import { serveImages } from '../../../../test/support/sandbox/image-server.ts'
import { type KubeDoor } from '../../../../test/support/sandbox/sandbox.ts'
import { type Clusters, atPace, sandboxClusters } from '../replay/clusters.ts'
import { play } from './play.ts'
import { type Timeline } from './recorded.ts'

/**
 * Ever closer to a real cluster's: beside other tests a hurried sandbox is too late for what it
 * should be first at.
 */
const paces = [0.4, 0.4, 1, 1]

/**
 * On sandboxes in a hurry; what goes otherwise there, because somebody came first who seldom does,
 * once more when they take more time.
 */
export async function playOnSandboxes(
  timelines: readonly Timeline[],
): Promise<Map<string, string[]>> {
  await using hurried = await sandboxClusters(Math.min(6, timelines.length), 0.1)
  let differing = await playAll(hurried, timelines)
  for (const pace of paces) {
    if (differing.size === 0) break
    const left = timelines.filter(({ id }) => differing.has(id))
    differing = await playAll(await atPace(hurried, pace), left)
  }
  return differing
}

/**
 * Plays every timeline on some cluster; what differs, by id, nothing for those that went as
 * recorded.
 */
export async function playAll(
  clusters: Clusters,
  timelines: readonly Timeline[],
  imagesUrl?: string,
): Promise<Map<string, string[]>> {
  const differing = new Map<string, string[]>()
  const waiting = [...timelines]
  await using images = await serveImages(imagesUrl)
  const work = async (door: KubeDoor): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const found = await play(
        { door, served: clusters.served, image: images, pace: clusters.pace },
        next,
      ).catch((error: unknown) => [String(error)])
      if (found.length > 0) differing.set(next.id, found)
    }
  }
  await Promise.all(clusters.doors.map(work))
  return differing
}
