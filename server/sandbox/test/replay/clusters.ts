import { serveImages } from '../../../../test/support/sandbox/image-server.ts'
import { sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { type KubeClient, startSandboxProcess } from '../../../../test/support/sandbox/sandbox.ts'
import { freshNamespaces } from '../support/fresh-namespaces.ts'
import { type Case, replay } from './cases.ts'

/** Identical clusters that run cases in parallel. Each case has its cluster for itself. */
export interface Clusters extends AsyncDisposable {
  clients: readonly KubeClient[]
  served: ReadonlySet<string>
  /** Duration of steps relative to a real cluster. */
  pace: number
}

/** Starts fast sandboxes. Cases mostly wait, so there are more sandboxes than cores. */
export async function sandboxClusters(count: number, pace = 0.1): Promise<Clusters> {
  const sandboxes = await Promise.all(
    Array.from({ length: count }, () => startSandboxProcess(undefined, { pace })),
  )
  const [first] = sandboxes
  return {
    clients: sandboxes,
    served: first ? await servedResources(first) : new Set(),
    pace: effectivePace(pace),
    [Symbol.asyncDispose]: async () =>
      void (await Promise.all(sandboxes.map((sandbox) => sandbox.stop()))),
  }
}

/** Changes the pace of the sandboxes. */
export async function atPace(clusters: Clusters, factor: number): Promise<Clusters> {
  await Promise.all(
    clusters.clients.map((client) => sandboxFaults(client).inject('pace', { factor })),
  )
  return { ...clusters, pace: effectivePace(factor) }
}

/** The computer itself is not faster, so the pace for waits is doubled. */
const effectivePace = (factor: number): number => factor * 2

/** Returns a real cluster, on which the cases run one by one. */
export async function clusterOf(client: KubeClient): Promise<Clusters> {
  return {
    clients: [client],
    served: await servedResources(client),
    pace: 1,
    [Symbol.asyncDispose]: async () => client.close(),
  }
}

async function servedResources(client: KubeClient): Promise<Set<string>> {
  const groups = JSON.parse((await client.call('/apis')).text) as {
    groups: { versions: { groupVersion: string }[] }[]
  }
  const paths = [
    '/api/v1',
    ...groups.groups.flatMap((group) => group.versions.map((each) => `/apis/${each.groupVersion}`)),
  ]
  const lists = await Promise.all(
    paths.map(async (path) => ({ path, text: (await client.call(path)).text })),
  )
  return new Set(
    lists.flatMap(({ path, text }) => {
      const { resources } = JSON.parse(text) as { resources: { name: string }[] }
      return resources
        .filter(({ name }) => !name.includes('/'))
        .map(({ name }) => `${path}/${name}`)
    }),
  )
}

/** Runs every case on one of the clusters. Returns the differences of each case that has any. */
export async function replayAll(
  clusters: Clusters,
  cases: readonly Case[],
  imagesUrl?: string,
): Promise<Map<string, string[]>> {
  await using images = await serveImages(imagesUrl)
  const differing = new Map<string, string[]>()
  const pending = [...cases]
  const work = async (client: KubeClient): Promise<void> => {
    for (let next = pending.shift(); next; next = pending.shift()) {
      await freshNamespaces(client, clusters.served)
      const differences = await replay(
        { client, pace: clusters.pace, images: images.origin },
        next,
      ).catch((error: unknown) => [String(error)])
      if (differences.length > 0) differing.set(next.id, differences)
    }
  }
  await Promise.all(clusters.clients.map(work))
  return differing
}
