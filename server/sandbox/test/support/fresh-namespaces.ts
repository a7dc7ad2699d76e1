import { type KubeAnswer, type KubeDoor } from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

/** A case needs its namespaces for itself, whatever the one before it left. */
export async function freshNamespaces(door: KubeDoor, served: ReadonlySet<string>): Promise<void> {
  for (const name of ['ns1', 'ns2']) {
    const path = `/api/v1/namespaces/${name}`
    if ((await door.call(path, { method: 'DELETE' })).status === 404) continue
    const isGone = async (): Promise<boolean> => (await door.call(path)).status === 404
    const mayGo = async (): Promise<boolean> => isGoneOrHeld(await door.call(path))
    await waitFor(mayGo, { timeoutMs: 2_000 }).catch(() => undefined)
    if (!(await isGone())) await letGo(door, served, name)
    await waitFor(isGone, { timeoutMs: 20_000, what: `the namespace ${name} to be gone` }).catch(
      async (error: unknown) => {
        throw new TypeError(`what is left: ${(await door.call(path)).text}`, { cause: error })
      },
    )
  }
}

const ofTheCluster = /(kubernetes|kubevirt)\.io\/|^(foregroundDeletion|orphan)$/

/** Whoever else holds an object lets go of it only when asked, so there is nothing to wait for. */
function isGoneOrHeld({ status, text }: KubeAnswer): boolean {
  const holders = [...text.matchAll(/(?:remaining: |, )(\S+) in \d+ resource instances/g)].map(
    ([, name = '']) => name,
  )
  return status === 404 || holders.some((name) => !ofTheCluster.test(name))
}

/** A case may leave an object with a finalizer of nobody. */
async function letGo(
  door: KubeDoor,
  served: ReadonlySet<string>,
  namespace: string,
): Promise<void> {
  await Promise.all([...served].map((each) => letGoOf(door, each, namespace)))
}

async function letGoOf(door: KubeDoor, kind: string, namespace: string): Promise<void> {
  const at = kind.lastIndexOf('/')
  const path = `${kind.slice(0, at)}/namespaces/${namespace}${kind.slice(at)}`
  const list = await door.call(path)
  const held = list.status === 200 ? list.body.items.filter((item) => item.metadata.finalizers) : []
  // The pods of what was let go have nobody who ends them.
  const force = { method: 'DELETE', body: { gracePeriodSeconds: 0 } }
  if (kind === '/api/v1/pods')
    for (const { metadata } of list.body.items) await door.call(`${path}/${metadata.name}`, force)
  const headers = { 'Content-Type': 'application/merge-patch+json' }
  const body = { metadata: { finalizers: null } }
  for (const { metadata } of held)
    await door.call(`${path}/${metadata.name}`, { method: 'PATCH', headers, body })
}
