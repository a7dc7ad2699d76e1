import { serveImages } from '../../../../test/support/sandbox/image-server.ts'
import { sandboxFaults } from '../../../../test/support/sandbox/faults.ts'
import { type KubeDoor, startSandboxProcess } from '../../../../test/support/sandbox/sandbox.ts'
import { freshNamespaces } from '../support/fresh-namespaces.ts'
import { type Case, replay } from './cases.ts'

/** Clusters of one make that take cases in turn: a case needs its cluster for itself. */
export interface Clusters extends AsyncDisposable {
  doors: readonly KubeDoor[]
  served: ReadonlySet<string>
  /** How long things take compared with a real cluster. */
  pace: number
}

/** Most of a case is waiting, so more sandboxes than cores pay, and ones that are in a hurry. */
export async function sandboxClusters(count: number, pace = 0.1): Promise<Clusters> {
  const sandboxes = await Promise.all(
    Array.from({ length: count }, () => startSandboxProcess(undefined, { pace })),
  )
  const [first] = sandboxes
  return {
    doors: sandboxes,
    served: first ? await servedResources(first) : new Set(),
    pace: paceSeen(pace),
    [Symbol.asyncDispose]: async () =>
      void (await Promise.all(sandboxes.map((sandbox) => sandbox.stop()))),
  }
}

/** The same sandboxes, from now on faster or slower. */
export async function atPace(clusters: Clusters, factor: number): Promise<Clusters> {
  await Promise.all(clusters.doors.map((door) => sandboxFaults(door).order('pace', { factor })))
  return { ...clusters, pace: paceSeen(factor) }
}

/** The machine itself is no faster. */
const paceSeen = (factor: number): number => factor * 2

export async function clusterOf(door: KubeDoor): Promise<Clusters> {
  return {
    doors: [door],
    served: await servedResources(door),
    pace: 1,
    [Symbol.asyncDispose]: async () => door.close(),
  }
}

async function servedResources(door: KubeDoor): Promise<Set<string>> {
  const groups = JSON.parse((await door.call('/apis')).text) as {
    groups: { versions: { groupVersion: string }[] }[]
  }
  const paths = [
    '/api/v1',
    ...groups.groups.flatMap((group) => group.versions.map((each) => `/apis/${each.groupVersion}`)),
  ]
  const lists = await Promise.all(
    paths.map(async (path) => ({ path, text: (await door.call(path)).text })),
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

/** Puts every case to some cluster; what differs, by case, nothing for those that are the same. */
export async function replayAll(
  clusters: Clusters,
  cases: readonly Case[],
  imagesUrl?: string,
): Promise<Map<string, string[]>> {
  await using images = await serveImages(imagesUrl)
  const differing = new Map<string, string[]>()
  const waiting = [...cases]
  const work = async (door: KubeDoor): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await freshNamespaces(door, clusters.served)
      const found = await replay({ door, pace: clusters.pace, images: images.origin }, next).catch(
        (error: unknown) => [String(error)],
      )
      if (found.length > 0) differing.set(next.id, found)
    }
  }
  await Promise.all(clusters.doors.map(work))
  return differing
}
