import { type KubeAnswer, type KubeClient } from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

/** Deletes the test namespaces, so that each case starts with empty ones. */
export async function freshNamespaces(
  client: KubeClient,
  served: ReadonlySet<string>,
): Promise<void> {
  for (const name of ['ns1', 'ns2']) {
    const path = `/api/v1/namespaces/${name}`
    if ((await client.call(path, { method: 'DELETE' })).status === 404) continue
    const isGone = async (): Promise<boolean> => (await client.call(path)).status === 404
    const isDeletedOrHeld = async (): Promise<boolean> => isGoneOrHeld(await client.call(path))
    await waitFor(isDeletedOrHeld, { timeoutMs: 2_000 }).catch(() => undefined)
    if (!(await isGone())) await removeFinalizers(client, served, name)
    await waitFor(isGone, { timeoutMs: 20_000, what: `deletion of the namespace ${name}` }).catch(
      async (error: unknown) => {
        throw new TypeError(`the namespace still exists: ${(await client.call(path)).text}`, {
          cause: error,
        })
      },
    )
  }
}

const clusterFinalizers = /(kubernetes|kubevirt)\.io\/|^(foregroundDeletion|orphan)$/

/**
 * True when the namespace is gone, or has a finalizer that no controller of the cluster removes.
 */
function isGoneOrHeld({ status, text }: KubeAnswer): boolean {
  const holders = [...text.matchAll(/(?:remaining: |, )(\S+) in \d+ resource instances/g)].map(
    ([, name = '']) => name,
  )
  return status === 404 || holders.some((name) => !clusterFinalizers.test(name))
}

/** Removes finalizers that a case left behind and no controller handles. */
async function removeFinalizers(
  client: KubeClient,
  served: ReadonlySet<string>,
  namespace: string,
): Promise<void> {
  await Promise.all([...served].map((each) => removeFinalizersOf(client, each, namespace)))
}

async function removeFinalizersOf(
  client: KubeClient,
  kind: string,
  namespace: string,
): Promise<void> {
  const at = kind.lastIndexOf('/')
  const path = `${kind.slice(0, at)}/namespaces/${namespace}${kind.slice(at)}`
  const list = await client.call(path)
  const objectsWithFinalizers =
    list.status === 200 ? list.body.items.filter((item) => item.metadata.finalizers) : []
  // No kubelet ends pods of removed objects, so they are deleted with a grace period of zero.
  const force = { method: 'DELETE', body: { gracePeriodSeconds: 0 } }
  if (kind === '/api/v1/pods')
    for (const { metadata } of list.body.items) await client.call(`${path}/${metadata.name}`, force)
  const headers = { 'Content-Type': 'application/merge-patch+json' }
  const body = { metadata: { finalizers: null } }
  for (const { metadata } of objectsWithFinalizers)
    await client.call(`${path}/${metadata.name}`, { method: 'PATCH', headers, body })
}
