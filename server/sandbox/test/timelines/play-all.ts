import { serveImages } from '../../../../test/support/sandbox/image-server.ts'
import { type KubeClient } from '../../../../test/support/sandbox/sandbox.ts'
import { type Clusters, atPace, sandboxClusters } from '../replay/clusters.ts'
import { play } from './play.ts'
import { type Timeline } from './recorded.ts'

/**
 * Paces of the repetitions, which approach a real cluster. Next to other tests, a fast sandbox can
 * lose races that it should win.
 */
const paces = [0.4, 0.4, 1, 1]

/**
 * Plays the timelines on fast sandboxes. Repeats the different ones at slower paces, because races
 * can have a rare outcome.
 */
export async function playOnSandboxes(
  timelines: readonly Timeline[],
): Promise<Map<string, string[]>> {
  await using fast = await sandboxClusters(Math.min(6, timelines.length), 0.1)
  let differing = await playAll(fast, timelines)
  for (const pace of paces) {
    if (differing.size === 0) break
    const left = timelines.filter(({ id }) => differing.has(id))
    differing = await playAll(await atPace(fast, pace), left)
  }
  return differing
}

/**
 * Plays every timeline on one of the clusters. Returns the differences of each timeline that has
 * any.
 */
export async function playAll(
  clusters: Clusters,
  timelines: readonly Timeline[],
  imagesUrl?: string,
): Promise<Map<string, string[]>> {
  const differing = new Map<string, string[]>()
  const pending = [...timelines]
  await using images = await serveImages(imagesUrl)
  const work = async (client: KubeClient): Promise<void> => {
    for (let next = pending.shift(); next; next = pending.shift()) {
      const differences = await play(
        { client, served: clusters.served, image: images, pace: clusters.pace },
        next,
      ).catch((error: unknown) => [String(error)])
      if (differences.length > 0) differing.set(next.id, differences)
    }
  }
  await Promise.all(clusters.clients.map(work))
  return differing
}
