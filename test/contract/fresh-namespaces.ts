import { type KubeDoor } from '../support/sandbox.ts'
import { waitFor } from '../support/wait-for.ts'

/** A case needs its namespaces for itself, whatever the one before it left. */
export async function freshNamespaces(door: KubeDoor, served: ReadonlySet<string>): Promise<void> {
  for (const name of ['ns1', 'ns2']) {
    const path = `/api/v1/namespaces/${name}`
    if ((await door.call(path, { method: 'DELETE' })).status === 404) continue
    const isGone = async (): Promise<boolean> => (await door.call(path)).status === 404
    await waitFor(isGone, { timeoutMs: 2_000 }).catch(() => letGo(door, served, name))
    await waitFor(isGone, { timeoutMs: 20_000, what: `the namespace ${name} to be gone` }).catch(async (error: unknown) => {
      throw new TypeError(`what is left: ${(await door.call(path)).text}`, { cause: error })
    })
  }
}

/** A case may leave an object with a finalizer of nobody. */
async function letGo(door: KubeDoor, served: ReadonlySet<string>, namespace: string): Promise<void> {
  const headers = { 'Content-Type': 'application/merge-patch+json' }
  for (const each of served) {
    const at = each.lastIndexOf('/')
    const path = `${each.slice(0, at)}/namespaces/${namespace}${each.slice(at)}`
    const list = await door.call(path)
    const held = list.status === 200 ? list.body.items.filter((item) => item.metadata.finalizers) : []
    const body = { metadata: { finalizers: null } }
    // The pods of what was let go have nobody who ends them.
    const force = { method: 'DELETE', body: { gracePeriodSeconds: 0 } }
    if (each === '/api/v1/pods') for (const { metadata } of list.body.items) await door.call(`${path}/${metadata.name}`, force)
    for (const { metadata } of held) await door.call(`${path}/${metadata.name}`, { method: 'PATCH', headers, body })
  }
}
