import { serveImages } from '../support/image-server.ts'
import { type KubeDoor, startSandboxProcess } from '../support/sandbox.ts'
import { freshNamespaces } from './fresh-namespaces.ts'
import { type Case, replay } from './sandbox-replay.ts'

/** Clusters of one make that take cases in turn: a case needs its cluster for itself. */
export interface Clusters extends AsyncDisposable {
  doors: readonly KubeDoor[]
  served: ReadonlySet<string>
  /** How long things take compared with a real cluster. */
  pace: number
}

/** Most of a case is waiting, so more sandboxes than cores pay, and ones that are in a hurry. */
export async function sandboxClusters(count: number, pace = 0.1): Promise<Clusters> {
  const sandboxes = await Promise.all(Array.from({ length: count }, () => startSandboxProcess(undefined, { pace })))
  const [first] = sandboxes
  return {
    doors: sandboxes,
    served: first ? await servedResources(first) : new Set(),
    // The machine itself is no faster.
    pace: pace * 2,
    [Symbol.asyncDispose]: async () => void (await Promise.all(sandboxes.map((sandbox) => sandbox.stop()))),
  }
}

export async function clusterOf(door: KubeDoor): Promise<Clusters> {
  return { doors: [door], served: await servedResources(door), pace: 1, [Symbol.asyncDispose]: async () => door.close() }
}

async function servedResources(door: KubeDoor): Promise<Set<string>> {
  const groups = JSON.parse((await door.call('/apis')).text) as { groups: { versions: { groupVersion: string }[] }[] }
  const paths = ['/api/v1', ...groups.groups.flatMap((group) => group.versions.map((each) => `/apis/${each.groupVersion}`))]
  const lists = await Promise.all(paths.map(async (path) => ({ path, text: (await door.call(path)).text })))
  return new Set(
    lists.flatMap(({ path, text }) => {
      const { resources } = JSON.parse(text) as { resources: { name: string }[] }
      return resources.map(({ name }) => `${path}/${name}`)
    }),
  )
}

/** Of cases that are known to differ, and of the others: on a busy machine it takes more until who is to come first does. */
const tries = { known: 3, others: 10 }

/**
 * As against a real cluster, only sooner: where being in a hurry makes a difference, sandboxes that take their time are asked. Some cases
 * look at what changes in that very moment; that the recorded answer is among those that can be had is what they prove.
 */
export async function replayOnSandboxes(
  cases: readonly Case[],
  isKnown: (id: string) => boolean = () => true,
): Promise<Map<string, string[]>> {
  const differing = await replayInHurry(cases)
  await using patient = await sandboxClusters(4, 1)
  for (let attempt = 0; attempt < tries.others && differing.size > 0; attempt += 1) {
    const left = cases.filter(({ id }) => differing.has(id) && (attempt < tries.known || !isKnown(id)))
    if (left.length === 0) break
    const again = await replayAll(patient, left)
    for (const { id } of left) differing.delete(id)
    for (const [id, found] of again) differing.set(id, found)
  }
  return differing
}

async function replayInHurry(cases: readonly Case[]): Promise<Map<string, string[]>> {
  await using clusters = await sandboxClusters(6)
  return await replayAll(clusters, cases)
}

/** Puts every case to some cluster; what differs, by case, nothing for those that are the same. */
export async function replayAll(clusters: Clusters, cases: readonly Case[], imagesUrl?: string): Promise<Map<string, string[]>> {
  await using images = await serveImages(imagesUrl)
  const differing = new Map<string, string[]>()
  const waiting = [...cases]
  const work = async (door: KubeDoor): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await freshNamespaces(door, clusters.served)
      const found = await replay({ door, pace: clusters.pace, images: images.origin }, next).catch((error: unknown) => [String(error)])
      if (found.length > 0) differing.set(next.id, found)
    }
  }
  await Promise.all(clusters.doors.map(work))
  return differing
}
